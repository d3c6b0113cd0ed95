package scope

// The parts of wordings about other areas than the backend.
const (
	// frontend and platform name an area by themselves.
	frontend = `\b(?:s?css|stylesheets?|fonts?|typeface|tailwind|figma|brand colou?rs?|dark mode|responsive (?:design|layout)|frontend|front end|front-end|(?:react|vue|angular|svelte) (?:component|hook|app)s?|ui design|storybook)\b` +
		`|css|フォント|配色|ダークモード|フロントエンド|画面(?:設計|デザイン|遷移)|uiデザイン`
	platform = `\b(?:terraform|kubernetes|k8s|helm chart|vpc|subnets?|load balancers?|cdn|dns|github actions|ci pipeline|ci/cd|nginx|ingress|dockerfile)\b` +
		`|terraform|kubernetes|ロードバランサ|インフラ|ネットワーク構成|サーバ構成`
	// looks and places of a screen name one together.
	looks = `\b(?:colou?rs?|layout|animat\w+|icons?|logo|margins?|padding|looks?|appearance|placed|positioned|rounded|rounds|hover\w*|theme|design|styled)\b` +
		`|の色|何色|背景色|文字色|レイアウト|余白|アニメーション|アイコン|ロゴ|デザイン|見た目|配置|表示位置|どこに(?:あり|表示)`
	places = `\b(?:buttons?|pages?|home ?page|website|screens?|sidebar|navbar|header|footer|menu|modal|dialog|dashboard|banner|tooltip|cards?|components?|(?:ios|android|mobile) app|app)\b` +
		`|画面|ページ|ボタン|ヘッダ|フッタ|メニュ|サイドバ|モーダル|ダイアログ|ダッシュボード|バナ|アプリ`
)

// elsewhere are questions on the frontend or the infrastructure.
var elsewhere = []outside{
	{Elsewhere, says(platform), anyOf(bound, bounds, outcome, outcomes)},
	{Elsewhere, says(frontend), anyOf(bound, bounds, outcome, outcomes, served)},
	{Elsewhere, says(looks, places), anyOf(bound, bounds, outcome, outcomes, served, `\b(?:how many|files?|images?|thumbnails?|avatars?|csv|json|xml|pdf|exports?|exported|tokens?|cursor|e-?mails?|reports?|receipts?)\b|画像|ファイル|csv|json|pdf|メール|帳票|トークン|何ピクセル`)},
}

// The parts of wordings about procedures and people's judgement.
const (
	// operated is what operators handle.
	operated = `(?:deployment|release|rollback|recovery|incident|backup|maintenance|operating|handover)`
	// changing is what one does to a program, not what the program does.
	changing = `(?:raise|lower|increase|decrease|extend|shorten|change|switch|move|migrate|adopt|buy|hire|choose|pick|prefer|prioriti[sz]e|introduce|drop|upgrade|replace|refactor|rewrite|deploy|launch|use|invest|keep)`
	changed  = `(?:上げ|下げ|延ば|伸ば|縮め|短く|長く|変え|変更|増や|減ら|導入|採用|移行|廃止|値上げ|値下げ|乗り換え|切り替え|見直|選|優先)`
	// counted is what a procedure in code may be asked for.
	counted = `\b(?:how (?:many|long|often)|limit\w*|max\w*|timeout|threshold|status code|which (?:errors?|status)|validat\w+|retr(?:y|ies)|held|reserved|hold|accounts?|password|escalat\w+|assigned)\b|何(?:回|件|分|秒|日|時間|個|文字)|アカウント|パスワード|必須|上限|閾値|しきい値|タイムアウト|どのエラ|でき(?:ます|る)か`
)

const (
	// weighed is what people do about a matter of theirs.
	weighed = `\b(?:approv\w*|authori[sz]\w*|sign(?:s|ed)?[- ]off|review\w*|decid\w*|decision|agree\w*|lead|led|manage\w*|plan|planned|schedule\w*|coordinate\w*|maintain\w*|responsib\w+|accountable|in charge|involved|consulted)\b` +
		`|承認|決裁|決定|決め|決ま|判断|レビュ|許可|責任|担当|調整|指揮|主導|計画`
	// matters are those of the people who make and run a program, not of the program.
	matters = `\b(?:deployments?|releases?|roll-?outs?|go-live|migrations?|hotfix(?:es)?|pull requests?|merge requests?|code reviews?|on-call|post-?mortems?|architecture|road ?maps?|sprints?|technical debt|budgets?|hir(?:e|ing)|recruit\w*|head ?count)\b` +
		`|デプロイ|リリース|本番(?:反映|移行|公開|適用)|切り戻し|プルリク|マージ|コードレビュ|アーキテクチャ|ロードマップ|技術的負債|予算|採用|人員`
	// ruling makes a question one for a rule, on a case or on what is allowed.
	ruling = `\b(?:able|allowed|permi\w+|if|when|whenever|unless|after|before|once|dates?)\b|場合|とき|たら|れば|でき`
)

// judgements are questions on procedures and people.
var judgements = []outside{
	// who is to settle a matter of theirs
	{Judgement, says(`\bwho(?:m|se)?\b.*\b(?:should|ought)\b|\bwhose (?:call|decision|job|responsibility)\b|^should\b.*\bby\b|(?:誰|だれ|どなた)の(?:仕事|判断|責任|裁量)|(?:誰|だれ|どなた).*(?:べき|のが(?:良|よ|い)い|の(?:が|は)(?:適切|妥当|望まし))|べき.*(?:誰|だれ|どなた)`, weighed, matters), anyOf(counted, ruling)},
	// whom to turn to
	{Judgement, says(`\b(?:who (?:should|do|must) (?:i|we)|whom (?:should|do)|(?:who|whoever)(?:'s| is) on[- ]call|on-call|on call (?:rota\w*|schedule|list)|who (?:signs|has to sign) off|how should (?:support|operators?|staff|(?:the|an?) (?:\w+ )?(?:team|operator|engineer))|how (?:do|can) (?:i|we) get access to (?:the )?(?:production|staging|server|repository|vpn)|who (?:decides|is (?:responsible|in charge)))\b`), anyOf(counted)},
	{Judgement, says(`当番(?:は(?:誰|だれ|どなた)|表)|誰に(?:連絡|相談|聞|報告|確認)(?:し?ますか|し?たら|すれば|すべき|するの|けば|くの|いたら)|誰が(?:決め(?:ます|る|ました)|判断(?:します|する)|責任|担当(?:します|する|です))|(?:連絡|相談|報告|確認)は誰に(?:すれば|したら|すべき)|担当者は(?:誰|だれ|どなた)(?:です|でしょう|[?。]|$)|連絡先(?:は(?:どこ|誰|だれ|どなた)|を教え)|判断は(?:誰|だれ|どなた)が`), anyOf(counted)},
	// how people do it
	{Judgement, says(`\b(?:runbook|playbook|` + operated + `(?: response)? (?:procedure|process|steps|checklist)|(?:deployment|release|rollback|recovery|incident|backup) plan)\b`), anyOf(counted)},
	{Judgement, says(`\b(?:how (?:do|should|can) (?:i|we)|(?:the )?steps to) (?:deploy|redeploy|release (?:the app|a (?:new )?version|to production)|restart the (?:\w+ )?(?:server|service|worker|pod|database|cluster)s?|roll ?back (?:the|a|to)(?: \w+)? (?:deploy\w*|release|version)|(?:restore|recover|migrate|back up) (?:the )?(?:\w+ )?(?:database|server|backup|production|cluster))\b`), anyOf(counted)},
	{Judgement, says(`(?:運用|復旧|障害対応|リリース|デプロイ|メンテナンス|切り戻し|バックアップ|リストア|引き継ぎ|監視|再起動)(?:の|作業の?|時の)?(?:手順|手引|計画|体制|マニュアル)|(?:障害対応|リリース|デプロイ|切り戻し|リストア)(?:の|は|作業の?)?(?:どういう)?(?:方法|フロー|流れ)|障害(?:時|発生時|のとき)の(?:体制|手順|対応|連絡)|手順書|(?:再起動|デプロイ|リリース|リストア|切り戻し)(?:は|って)どう(?:やる|やり|やって|すれ|行)|(?:リリース|デプロイ)して(?:も)?(?:大丈夫|良い|よい|いい)`), anyOf(counted)},
	// what people think
	{Judgement, says(`\b(?:is it (?:better|worth|a good idea)|which is better|do you (?:think|recommend)|would you (?:recommend|choose|prefer)|what do you recommend|your opinion|is it (?:ok|okay|safe|wise) to (?:deploy|launch|go live|merge|upgrade|roll out|release on)|how long will (?:it|this) take us)\b`), anyOf(`\bhow many\b`)},
	{Judgement, says(`^should (?:we|i) ` + changing + `\b|\bwhich\b.* should (?:we|i) (?:choose|use|pick|buy|prefer|adopt)\b`), anyOf(`\bif\b`)},
	{Judgement, says(`べき(?:でしょうか|ですか|だと思)`, changed+`|この(?:pr|変更|機能|仕様|設計|プロジェクト)`), anyOf(`いつ|何[回件分日文]`)},
	{Judgement, says(`どちら(?:が|の方が|のほうが)(?:良|よ|い)い|どう思|おすすめ(?:ですか|でしょうか|しますか|は(?:何|どれ|どちら|あり))|見積もりは何人(?:日|月|で)|目視で|(?:^|[^本会他個])人が(?:判断(?:する|し)|決め(?:る|ます))`), anyOf(counted)},
}
