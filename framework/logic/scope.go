package logic

import (
	"regexp"

	"github.com/sagasu-search/sagasu/sdk/text"
)

// Class is why a question is out of scope, "" where it is not. Contract.
type Class string

// The classes.
const (
	Runtime   Class = "runtime_value"    // asks for what data or a service says now
	Elsewhere Class = "not_backend"      // is about other areas than the backend only
	Judgement Class = "not_reproducible" // is decided by procedures or people
)

// outside is a wording of questions that are out of scope.
type outside struct {
	class  Class
	asks   *regexp.Regexp // what the folded question says
	unless *regexp.Regexp // what keeps it in scope all the same
}

// ruled are the words of questions on rules: thresholds, conditions, errors.
const ruled = `\b(?:limit|maximum|minimum|max|min|threshold|allowed|permitted|error|exception|fail|condition|rule|validat\w*|reject\w*|refus\w*|require[sd]?|default|timeout|status code|constraint)\b` +
	`|上限|下限|最大|最小|閾値|しきい値|条件|エラー|例外|失敗|拒否|判定|規則|ルール|制約|許可|必須|期限|既定|初期値|バリデーション|ステータスコード|検証|タイムアウト`

// served are the words that name the backend.
const served = `\b(?:api|backend|back end|server|endpoint|service|database|handler|request|response|http|webhook)\b|バックエンド|サーバ|api|エンドポイント|データベース|リクエスト|サービス`

var outsides = []outside{
	{Runtime, regexp.MustCompile(`\b(?:how many|number of|count of|what is the (?:current|latest)|which|list (?:all|the)|show me|who (?:is|are)|is|are)\b.*\b(?:right now|at the moment|at present|currently (?:in|stored|logged|active|running|locked|open|pending)|today|yesterday|this (?:week|month|year)|last (?:week|month|year|night)|so far|in production|in the (?:production )?(?:database|db|table)|(?:are|is) there now)\b` +
		`|\b(?:current|latest|actual|live)\b.*\b(?:count|number of|balance of|value in|rows?|records?|response from|response of|exchange rate|stock of|load|usage|uptime|cpu|queue length|price of)\b` +
		`|\bhow many (?:users|orders|customers|rows|records|tickets|members|sessions|invoices|jobs)\b.*\b(?:do we have|are there|exist|did we)\b`),
		regexp.MustCompile(`\b(?:limit|maximum|minimum|threshold|allowed|permitted|what happens|may|can (?:a|an|one))\b`)},
	{Runtime, regexp.MustCompile(`(?:今|現在|いま|本日|今日|昨日|今月|先月|今週|最新|直近|実際|本番)[^。？?]*(?:何件|何人|何個|件数|人数|いくつ|残高|在庫数|個数|レコード数|売上|レスポンス|応答内容|使用率|稼働|為替|値は|一覧|誰)|(?:db|データベース|テーブル)[^。？?]*(?:何件|何人|件数|何行|レコード数)`),
		regexp.MustCompile(`上限|下限|最大|最小|閾値|しきい値|条件|エラー|(?:いくつ|何件|何人|何個|何回)まで|許可|制限|ルール|場合|とき`)},
	{Elsewhere, regexp.MustCompile(`\b(?:css|stylesheet|font|colou?rs?|layout|button|screen design|ui design|animation|icon|react component|vue component|tailwind|dark mode|responsive|margin|padding|figma|logo|modal dialog|terraform|kubernetes|k8s|helm chart|vpc|load balancer|cdn|dns|github actions|ci pipeline|ios app|android app|landing page|frontend|front end)\b` +
		`|css|フォント|配色|の色|レイアウト|ボタン|アイコン|アニメーション|画面(?:設計|デザイン|の|遷移|構成)|デザイン|ダークモード|余白|ロゴ|フロントエンド|terraform|kubernetes|ロードバランサ|インフラ|ネットワーク構成|サーバ構成|モバイルアプリ`),
		regexp.MustCompile(served + `|` + ruled)},
	{Judgement, regexp.MustCompile(`\b(?:who (?:should|do|must) (?:i|we)|whom (?:should|do)|on[- ]call|runbook|playbook|should (?:we|i)|is it (?:better|worth|a good idea)|which is better|do you (?:think|recommend)|what do you recommend|your opinion|how do (?:i|we) (?:deploy|roll back|release|restore|restart|migrate|back up|escalate)|(?:deployment|release|rollback|recovery|incident|backup|maintenance|operating|handover) (?:procedure|process|steps|plan|checklist)|steps to (?:deploy|release|restore|roll back)|how long will (?:it|this) take us|who (?:decides|is responsible|is in charge))\b`),
		nil},
	{Judgement, regexp.MustCompile(`(?:運用|復旧|障害対応|リリース|デプロイ|メンテナンス|切り戻し|バックアップ|リストア|引き継ぎ|監視)[^。？?]{0,8}(?:手順|方法|手引|フロー|計画|体制|流れ)|手順書|当番|誰に(?:連絡|相談|聞|報告|確認)|誰が(?:決|判断|責任|担当)|担当者は|連絡先|すべきでしょうか|べきですか|べきだと思|どちらが(?:良|よ|い)い|どう思|おすすめ|見積もりは何人|目視|人が(?:判断|決)`),
		nil},
}

// Outside tells in which class a question is out of scope, "" where it is not.
// It knows Japanese and English wordings; when in doubt a question is in scope.
func Outside(question string) Class {
	folded := text.Fold(question)
	for _, o := range outsides {
		if o.asks.MatchString(folded) && (o.unless == nil || !o.unless.MatchString(folded)) {
			return o.class
		}
	}
	return ""
}

// reason says in the question's language why it is not answered.
func (c Class) reason(japanese bool) string {
	reasons := map[Class][2]string{
		Runtime: {"This asks for a present value of data or of a service, which code and specifications do not hold; ask for the rule instead.",
			"実行時のデータやサービスの現在値を問う質問で、コードと仕様からは答えられません。規則について質問してください。"},
		Elsewhere: {"This is about an area other than the backend; only its code and specifications are read.",
			"バックエンド以外の領域だけに関する質問です。読むのはバックエンドのコードと仕様だけです。"},
		Judgement: {"This is decided by operating procedures or by people, and cannot be told from code and specifications.",
			"運用手順または人の判断で決まる質問で、コードと仕様からは再現できません。"},
	}
	if japanese {
		return reasons[c][1]
	}
	return reasons[c][0]
}
