package spec

import (
	"strings"

	"github.com/sagasu-search/sagasu/sdk/x/lazyregexp"
)

// binding is a wording that makes a sentence binding. English words count in capitals, as in RFC 2119; "must", "shall"
// and "should" count in any case.
var binding = lazyregexp.New(strings.Join([]string{
	`\b(?i:must|shall|should)(?:n't)?\b|\b(?i:shan't|cannot|can not|may not)\b`,
	`\b(?:REQUIRED|RECOMMENDED|MAY|OPTIONAL)\b`,
	`(ては|では)(なら|なり|いけ)(ない|ません)(?:$|[^け])|てはならず|禁止(する|します|とする|される|$|。)`,
	`(する|した|受け付ける|返す)ことはできない|べきで(は)?ない|べきではありません`,
	`な(けれ|くて)ば?は?(なら|なり|いけ)(ない|ません|ず)|ねばなら(ない|ず)|必要がある|ものとする`,
	`必須(とする|である|です|$|。)|こと(とする|$|。)|べきで(ある|す)|べき(だ|$|。)|推奨(する|される|$|。)|(こと|の)が望ましい`,
	`(て|で)も(よい|良い|構わない|かまわない)|任意(とする|である|$|。)`,
}, "|"))

// bindingLines returns the lines where binding sentences start.
func bindingLines(sentences []Sentence) (lines []int) {
	for _, s := range sentences {
		if binding().MatchString(codeSpan().ReplaceAllString(s.Text, "_")) {
			lines = append(lines, s.Line)
		}
	}
	return lines
}

// codeSpan is text quoted as code, which binds nobody.
var codeSpan = lazyregexp.New("`[^`]*`")

// maxStatement is the maximum length of a sentence in bytes.
const maxStatement = 1000

func oneLine(text string) string {
	folded := strings.Join(strings.Fields(text), " ")
	return strings.ToValidUTF8(folded[:min(len(folded), maxStatement)], "")
}
