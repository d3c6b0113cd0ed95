package answer

import (
	"github.com/sagasu-search/sagasu/sdk/text"
	"github.com/sagasu-search/sagasu/sdk/x/lazyregexp"
)

var (
	// whichFailure asks for an error by its name or its reasons.
	whichFailure = lazyregexp.New(`\b(?:which|what)(?: (?:kinds?|types?|sorts?) of)?(?: \w+)? (?:errors?|exceptions?|failures?|status codes?)\b|\b(?:which|what) http status\b|\b[45]\d\d\b *(?:[?.]|$|エラ|が返|を返|になり)` +
		`|(?:どの|どんな|どういう|何の|何番の|何という)[^。?、]{0,6}(?:エラ|例外|失敗|ステータスコード)|(?:エラ|例外|失敗|拒否|却下)ー?の?(?:種類|内容|条件|理由|原因|一覧|メッセージ|コード)`)
	// amount asks how much, whatever else the question mentions.
	amount = lazyregexp.New(`\bhow (?:many|long|often|much|large|big)\b|\bwhat(?: is|'s) the (?:max|min|limit|longest|shortest|default)\w*` +
		`|何(?:文字|件|回|日|分|人|円|個|秒|時間)|(?:上限|下限|最大|最小)[^。?、]{0,6}(?:[?。]|$|何|いくつ|教え)`)
	// subordinate is a clause on when, after what or of what; a question that begins with
	// "when" is not one.
	subordinate = lazyregexp.New(`\b(?:after|once|before|if|unless|until|upon|following|whose|that)\b[^,?]*|[^.?!;] when\b[^,?]*`)
	// failing says in its main clause that something fails or returns an error; a word for
	// it before a noun ("a failed job") says nothing of the kind.
	failing = lazyregexp.New(`\b(?:fails?|throws?|raises?|rejects?|refuses?|deny|denies|aborts?|error out|goes? wrong|it an error)\b` +
		`|\b(?:refused|rejected|denied|declined|thrown|raised|aborted|forbidden|prohibited|invalid|not (?:allowed|permitted|accepted))(?: *[?.,;!]| *$| (?:when|with|by|for|because|without|in|on|at|as|to|and|or|during|from|an?|the|access)\b)` +
		`|\b(?:errors?|exceptions?)\b.*\b(?:returned|given|shown|reported|occurs?|happens?)\b|\b(?:returns?|gives?|gets?|causes?|produces?|leads? to|results? in|is there|are there) (?:an? |any )?(?:\w+ )?(?:errors?|exceptions?)\b` +
		`|(?:失敗|拒否|却下|エラ|例外|不正|無効|禁止|弾)[^。?、るたはの何時]{0,10}(?:ます|ません|です|る)か?[?。 ]*$|(?:失敗|拒否|却下|エラ|例外|不正|弾)[^。?、た]{0,8}(?:のは|(?:する|なる|れる)(?:条件|場合|とき|理由|原因))|(?:許可され|認められ|でき)(?:ない|ません)`)
)

// asksFailure reports whether a question asks for a failure, and does not only mention one.
func asksFailure(question string) bool {
	folded := text.Fold(question)
	if whichFailure().MatchString(folded) {
		return true
	}
	return !amount().MatchString(folded) && failing().MatchString(subordinate().ReplaceAllString(folded, " "))
}
