package audit

import (
	"strings"

	"golang.org/x/text/width"

	"github.com/sagasu-search/sagasu/sdk/x/lazyregexp"
)

// rule finds words that state a rule and not only a subject.
var rule = lazyregexp.New(`(?i)(なければ|してはならない|できない|できません|必要がある|必要です|必要となる|が必要|は不要|を禁止|は禁止|対象外|以内|以上|以下|未満|を超え|超$|` +
	`\b(must|shall|may not|cannot|can't|never|only if|only when|required|requires|at least|at most|within|no later than)\b)`)

var predicate = lazyregexp.New(`(。|[^0-9.\s]\.|ない|ならない|できる|である|ます|ません|です)$`)

func statesRule(text string) bool { return rule().MatchString(text) }

// isRule reports whether a title is a rule itself: a sentence that states one.
func isRule(title string) bool {
	return statesRule(title) && (predicate().MatchString(title) || strings.Contains(title, " "))
}

// ruling matches words that make a title above elements state a rule itself. subject matches words
// that only name what the elements are about.
var (
	ruling = lazyregexp.New(`(?i)(\b(must|shall|may not|cannot|can't|never|no later than|(is|are) (not )?(required|allowed))\b|` +
		`(^|\s)only\s.*\b(may|can|after|if|when|with)\b|\b(may|can|is|are)\b.*\sonly\b|\b(within|at least|at most)\s+\d|` +
		`(なければならない|してはならない|できない|できません|必要がある|必要です|が必要|は不要|を禁止|は禁止|以内(とする|です|に限る)?|に限る)。?$|` +
		`[はをにで].*(る|う|く|す|つ|ぶ|む|ない)こと。?$)`)
	subject = lazyregexp.New(`(?i)(^(what|when|where|which|who|whom|how|why|things?|if)\b|[?？]$|べきこと$|できること$|いること$)`)
)

// rules reports whether a title states a rule whatever stands under it.
func rules(title string) bool { return ruling().MatchString(title) && !subject().MatchString(title) }

var (
	ownData = lazyregexp.New(`(?i)^[\s*_]*(出典|ソース|原典|原文|参照元|作成日|作成者|更新日|最終更新|改訂日|版|版数|バージョン|担当|責任者|状態|ステータス|` +
		`source|source file|author|owner|date|created|updated|last updated|last reviewed|version|revision|status|reviewer)[\s*_]*[:：]`)
	pointing = lazyregexp.New(`(?i)(を?参照(のこと|してください|する|。)?|詳細は?|関連|目次|へ戻る|へ|は|も|戻る|次|前|\b(see also|see|go to|back to|next|previous|top|details?|and|or|for|in|cf)\b)`)
	letters  = lazyregexp.New(`[\p{L}\p{N}]`)
)

// aside finds the titles of sections about the document itself.
var aside = lazyregexp.New(`(?i)^[\d.\s]*(変更履歴|改訂履歴|更新履歴|未解決事項|未確認事項|change history|revision history|version history|change ?log|open questions)$`)

// saysNothing reports whether an item or a row, given without the texts of its
// links, is empty, only points elsewhere or names the document's own data.
func saysNothing(unlinked string) bool {
	return ownData().MatchString(unlinked) || !letters().MatchString(pointing().ReplaceAllString(unlinked, " "))
}

// introduces reports whether an item that has items in it is only their label.
func introduces(text string) bool {
	text = strings.TrimRight(text, " *_")
	return strings.HasSuffix(text, ":") || strings.HasSuffix(text, "：") ||
		!predicate().MatchString(text) && !statesRule(text)
}

var answers = lazyregexp.New(`(?i)^(はい|いいえ|有|無|有り|無し|あり|なし|可|不可|適|不適|合格|不合格|承認|却下|その他|それ以外|成功|失敗|該当|非該当|` +
	`yes|no|y|n|true|false|ok|ng|pass|fail|passed|failed|success|failure|else|otherwise|default|approved|rejected)$`)

// isAnswer reports whether the label of an edge only answers the decision that
// the edge leaves, if it leaves one.
func isAnswer(label string, decision bool) bool {
	label = width.Fold.String(strings.TrimSpace(label))
	return answers().MatchString(label) || decision && !statesRule(label) && !strings.ContainsAny(label, "<>=≥≤")
}

var (
	startWord = lazyregexp.New(`(?i)^(開始|スタート|入口|start|begin|entry|initial)($|[\s:：(（_-])`)
	endWord   = lazyregexp.New(`(?i)^(終了|完了|終わり|ゴール|end|stop|finish|finished|done|exit|final)$`)
	legend    = lazyregexp.New(`(?i)^(凡例|legend|key)$`)
)

// isStart reports whether a name marks the start of a flow.
func isStart(name string) bool { return startWord().MatchString(strings.TrimSpace(name)) }

// isMark reports whether a name only marks a start or an end.
func isMark(name string) bool {
	name = strings.TrimSpace(name)
	return endWord().MatchString(name) || startWord().FindString(name) == name && name != ""
}
