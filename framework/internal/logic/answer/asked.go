package answer

import (
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/sagasu-search/sagasu/framework/internal/logic/rule"
	"github.com/sagasu-search/sagasu/sdk/text"
	"github.com/sagasu-search/sagasu/sdk/x/lazyregexp"
)

// asked is what a question asks for.
type asked struct {
	name    string // "" where it asks for none of these
	sorts   []Sort // of claims that hold it
	holding func() *regexp.Regexp
}

// reported are the types that an answer names in its unknowns where they are missing.
var reported = []string{"amount", "time", "state", "status", "who", "list"}

// strict reports whether an answer without it is none.
func (a asked) strict() bool { return slices.Contains(reported, a.name) }

// holds reports whether a claim, with the constants that it names, holds what is asked for.
func (a asked) holds(c Claim, text string) bool {
	if a.name != "status" {
		text = answered().ReplaceAllString(text, "")
	}
	return slices.Contains(a.sorts, c.Sort) && !c.plain || a.holding().MatchString(strings.ToLower(rule.Apart(text)))
}

// answered is an HTTP status as claims state it, which is no amount.
var answered = lazyregexp.New(` \([45]\d\d\)`)

var anAmount = lazyregexp.New(`\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|once|twice|half)\b|[一二三四五六七八九十]`)

// types are what questions ask for, by the words that do, and how a statement shows that it holds it.
// Of those at one place the first counts.
var types = []struct {
	asked
	asks func() *regexp.Regexp
}{
	{asked{"status", nil, lazyregexp.New(`\b[1-5]\d\d\b`)},
		lazyregexp.New(`\b(?:(?:which|what) )?(?:http )?(?:status|error) codes?\b|\b(?:which|what) http\b|ステータスコード|何番`)},
	{asked{"amount", nil, anAmount}, lazyregexp.New(`\bhow long (?:may|can|must|is|are|should)\b[^,?]*\bbe\b *(?:$|[?,]| when| if)`)},
	{asked{"time", nil, lazyregexp.New(`\d.*\b(?:sec|seconds?|min|mins|minutes?|hours?|days?|weeks?|months?|years?|ms|millis\w*|ttl)\b|\b(?:seconds?|secs?|minutes?|hours?|days?|weeks?|months?|years?|ms|millis\w*|ttl|timeout|interval|duration)\b.*\d|\d[smhd]\b|\b(?:hourly|daily|weekly|monthly)\b|\btime\.(?:hour|minute|second)|\d ?(?:秒|分|時間|日|週|か月|ヶ月|カ月|年)`)},
		lazyregexp.New(`\bhow (?:long|soon|often)\b|\b(?:until|by) when\b|\bhow many (?:seconds|minutes|hours|days|weeks|months|years)\b` +
			`|いつまで|どれだけ待|どのくらいの(?:時間|期間)|何(?:秒|分|時間|日|週間|か月|ヶ月|カ月|年)`)},
	{asked{"amount", nil, anAmount},
		lazyregexp.New(`\bhow (?:many|much|large|big|high|low|old|far|small)\b|\bwhat(?: is|'s| are) the (?:max|min|limit|default|upper|lower)\w*|\bat what (?:percentage|amount|number|size|age)\b` +
			`|何(?:文字|件|回|人|円|個|台|枚|点|歳|%|パーセント|ポイント|バイト|[a-z]+)|いくつ|いくら|どれだけ|どれくらい|(?:上限|下限|最大|最小)[^。?、]{0,6}(?:[?。]|$|何|教え)`)},
	{asked{"who", nil, lazyregexp.New(`role|admin|owner|member|permission|authori[sz]|staff|created ?by|user id|employee id|only the|manager|editor|viewer|権限|管理者|本人|ロール|承認者|担当`)},
		lazyregexp.New(`^who\b|\bwho (?:may|can|is|are)\b|\b(?:which|what) (?:roles?|users?|permissions?|people)\b|誰|だれ|どの(?:ロール|権限|役割|ユーザー)`)},
	{asked{"state", nil, lazyregexp.New("['\"`:.][a-z -]{3,}['\"`]|状態|state|status")},
		lazyregexp.New(`\b(?:which|what) (?:state|status|phase)\b|どの(?:状態|ステータス)に|どういう状態|状態になり`)},
	{asked{"list", []Sort{Outcome}, lazyregexp.New("['\"][\\w .-]+['\"] ?(?:,|\\|| or) ?['\"][\\w]|`\\w[\\w .-]*`,? (?:or |and )?`\\w|:[\\w ]+, ?:\\w|\\d, ?\\d|\\[[^\\]():]+,[^\\]()]+\\]|\\{[^}:;=()]+,[^}:;=()]+\\}|\\b(?:one of|either)\\b|, \\S+,? (?:or|and) |または|、\\S+、|!=.*&&.*!=|==.*\\|\\|.*==")},
		lazyregexp.New(`\b(?:which|what) (?:kinds?|types?|sorts?|ways?|modes?|values?|formats?|channels?|fields?|(?:\w+ )?\w+s) (?:of|are|may|can|must|does|do|is)\b|\bthrough which\b|(?:どんな|どの|どういう)\S{1,8}(?:があり|が使|を使|が指定|から選)|(?:一覧|種類)`)},
	{asked{"outcome", []Sort{Failure, Outcome}, lazyregexp.New(`\b(?:shall|must|cannot|then|returns?|throw|raise|reject\w*|refuse\w*|warn|abort\w*|skip\w*|discard\w*|ignore[ds]?)\b|を行う|なければならない|てはならない|する。?$|される。?$|拒否|しない|できない`)},
		lazyregexp.New(`\bwhat (?:happens|does|is done|will|would|becomes|must)\b|^(?:can|may|could|does|do|is|are|must|should) |どうなり|どうし|どうする|できますか|ますか`)},
	{asked{"condition", []Sort{Condition}, lazyregexp.New("` when `|\\b(?:when|if|unless|once|until|after|before|while)\\b|のとき|場合| (?:[<>]=?|[=!]==?) ")},
		lazyregexp.New(`\bwhen\b|\b(?:under|in|on) (?:which|what)\b|\bif\b|いつ|どんなとき|どういうとき|条件|場合`)},
	{asked{"way", nil, lazyregexp.New(`\w\)? [-+*/%] \(?\w|\b(?:math|min|max|round|floor|sum)\b|[×÷％%]`)},
		lazyregexp.New(`\bhow\b.*\b(?:computed|calculated|determined|weighted|derived|decided)\b|どう(?:計算|決ま|算出)|計算`)},
}

// askedOf returns the type of what a question asks for first.
func askedOf(question string) asked {
	folded, first := text.Fold(question), math.MaxInt
	found := asked{holding: lazyregexp.New(`.`)}
	for _, t := range types {
		if at := t.asks().FindStringIndex(folded); at != nil && at[0] < first {
			first, found = at[0], t.asked
		}
	}
	return found
}
