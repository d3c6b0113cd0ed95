package spec

import (
	"regexp"
	"slices"
	"strings"

	"github.com/sagasu-search/sagasu/sdk/x/lazyregexp"
)

// Strength is how much a statement binds.
type Strength string

// The strengths, as RFC 2119 defines them.
const (
	Must   Strength = "must"   // SHALL, MUST, REQUIRED, しなければならない
	Should Strength = "should" // SHOULD, RECOMMENDED, すべきである
	May    Strength = "may"    // MAY, OPTIONAL, してもよい
)

// Statement is a sentence that binds.
type Statement struct {
	Line     int // where it starts, from 1
	Strength Strength
	// Negated reports that something is forbidden or advised against.
	Negated bool
	Text    string // the sentence on one line, without list marks
}

// cue is a wording that binds.
type cue struct {
	pattern  func() *regexp.Regexp
	strength Strength
	negated  bool
}

// cues are tried in this order: a negation stands before what it negates.
// English words count in capitals, as RFC 2119 has them, and "must" and
// "shall" in any case.
var cues = []cue{
	{lazyregexp.New(`\b(?i:must|shall)\s+(?i:not|never)\b|\b(?i:mustn't|shan't)\b`), Must, true},
	{lazyregexp.New(`\b(?i:should)\s+(?i:not|never)\b|\b(?i:shouldn't)\b|\bNOT\s+RECOMMENDED\b`), Should, true},
	{lazyregexp.New(`\bMAY\s+NOT\b|\b(?i:cannot|can not|may not)\b`), Must, true},
	{lazyregexp.New(`\b(?i:must|shall)\b|\bREQUIRED\b`), Must, false},
	{lazyregexp.New(`\b(?i:should)\b|\bRECOMMENDED\b`), Should, false},
	{lazyregexp.New(`\bMAY\b|\bOPTIONAL\b`), May, false},
	{lazyregexp.New(`(ては|では)(なら|なり|いけ)(ない|ません)(?:$|[^け])|てはならず|禁止(する|します|とする|される|$|。)|(する|した|受け付ける|返す)ことはできない`), Must, true},
	{lazyregexp.New(`べきで(は)?ない|べきではありません`), Should, true},
	{lazyregexp.New(`な(けれ|くて)ば?は?(なら|なり|いけ)(ない|ません|ず)|ねばなら(ない|ず)|必要がある|ものとする|必須(とする|である|です|$|。)|こと(とする|$|。)`), Must, false},
	{lazyregexp.New(`べきで(ある|す)|べき(だ|$|。)|推奨(する|される|$|。)|(こと|の)が望ましい`), Should, false},
	{lazyregexp.New(`(て|で)も(よい|良い|構わない|かまわない)|任意(とする|である|$|。)`), May, false},
}

// statements returns the sentences that bind.
func statements(sentences []Sentence) []Statement {
	found := []Statement{}
	for _, s := range sentences {
		plain := codeSpan().ReplaceAllString(s.Text, "_")
		if i := slices.IndexFunc(cues, func(c cue) bool { return c.pattern().MatchString(plain) }); i >= 0 {
			found = append(found, Statement{s.Line, cues[i].strength, cues[i].negated, s.Text})
		}
	}
	return found
}

// codeSpan is what is quoted as code, which binds nobody.
var codeSpan = lazyregexp.New("`[^`]*`")

// maxStatement bounds a statement, in bytes.
const maxStatement = 1000

func oneLine(text string) string {
	folded := strings.Join(strings.Fields(text), " ")
	return strings.ToValidUTF8(folded[:min(len(folded), maxStatement)], "")
}
