package spec

import "github.com/sagasu-search/sagasu/sdk/x/lazyregexp"

// Step is what a line of a scenario is.
type Step string

// The steps. A line that begins with AND continues the one before it.
const (
	NoStep Step = ""
	When   Step = "when" // a condition or an event: GIVEN, WHEN, 前提, もし
	Then   Step = "then" // an outcome: THEN, ならば
)

// Item is a paragraph, an item of a list or a row of a table.
type Item struct {
	Line int // of its first line
	Text string
	Step Step
	// Conditions are the lines of the scenario before it that are conditions.
	Conditions string
	// Lead is the paragraph that the item stands under, "" for one.
	Lead    string
	heading bool
}

var (
	step = lazyregexp.New(`^[\s>|]*(?:[-*+]\s+|\d+[.)]\s+)?[*_]*(?i:` +
		`(given|when|if|while|前提|もし|条件)|(then|ならば|結果|期待)|(and|but|かつ|また))`)
	listed  = lazyregexp.New(`^\s*(?:[-*+]\s|\d+[.)]\s|\|)`)
	heading = lazyregexp.New(`^\s*#{1,6}\s`)
)

// items reads a text whose first line is given, without code in fences.
func items(text string, line int) []Item {
	all, lead, conditions, last := []Item{}, "", "", NoStep
	for _, p := range paragraphs(text, line) {
		item := Item{Line: p.line, Text: p.text}
		m := step().FindStringSubmatch(p.text)
		switch {
		case heading().MatchString(p.text):
			conditions, last, item.heading = oneLine(p.text), NoStep, true
		case m != nil && m[1] != "":
			if last != When {
				conditions = ""
			}
			item.Step = When
		case m != nil && m[2] != "":
			item.Step = Then
		case m != nil && last != NoStep:
			item.Step = last
		case !listed().MatchString(p.text):
			lead = ""
		}
		item.Lead, item.Conditions = lead, conditions
		if item.Step == When && len(conditions) < maxStatement {
			conditions += "\n" + oneLine(p.text)
		}
		if lead == "" && item.Step == NoStep {
			lead = oneLine(p.text)
		}
		last = item.Step
		all = append(all, item)
	}
	return all
}
