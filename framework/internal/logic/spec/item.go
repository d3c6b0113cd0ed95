package spec

import "github.com/sagasu-search/sagasu/sdk/x/lazyregexp"

// Step is the part that a line plays in a scenario.
type Step string

// The steps. A line that begins with AND continues the one before it.
const (
	NoStep Step = ""
	When   Step = "when" // a condition or an event: GIVEN, WHEN, 前提, もし
	Then   Step = "then" // an outcome: THEN, ならば
)

// Item is a paragraph, an item of a list or a row of a table.
type Item struct {
	Line int // its first line
	Text string
	Step Step
	// Conditions are the lines before it in the scenario that are conditions.
	Conditions string
	heading    bool
}

var (
	step = lazyregexp.New(`^[\s>|]*(?:[-*+]\s+|\d+[.)]\s+)?[*_]*(?i:` +
		`((?:given|when(?:ever)?|if|while)(?:\b|_)|前提|もし|条件)|` +
		`(then(?:\b|_)|ならば|結果|期待)|((?:and|but)(?:\b|_)|かつ|また))`)
	heading = lazyregexp.New(`^\s*#{1,6}\s`)
)

// items returns the items of a text without fenced code. line is the number of its first line.
func items(text string, line int) []Item {
	all, conditions, last := paragraphs(text, line), "", NoStep
	for i := range all {
		item := &all[i]
		m := step().FindStringSubmatch(item.Text)
		switch {
		case heading().MatchString(item.Text):
			conditions, last, item.heading = oneLine(item.Text), NoStep, true
		case m != nil && m[1] != "":
			if last != When {
				conditions = ""
			}
			item.Step = When
		case m != nil && m[2] != "":
			item.Step = Then
		case m != nil && last != NoStep:
			item.Step = last
		}
		item.Conditions = conditions
		if item.Step == When && len(conditions) < maxStatement {
			conditions += "\n" + oneLine(item.Text)
		}
		last = item.Step
	}
	return all
}
