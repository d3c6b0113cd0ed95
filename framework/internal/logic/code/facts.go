package code

import "slices"

// Facts contains the facts about a unit's logic in its source, without those of nested units. All texts are on one
// line.
type Facts struct {
	Conditions []Condition
	Failures   []Failure
	States     []State
	Constants  []NamedValue
	// Uses are the names of the constants that the unit reads, each once, in order of first use.
	Uses []string
}

// Condition is a place where the logic branches.
type Condition struct {
	Line int
	Word string // the word that branches, such as if, case or when
	Text string // what follows it, as written
}

// Failure is a place where the logic gives up.
type Failure struct {
	Line    int
	Name    string // of the error, exception or status, as written
	Message string // the first string, without quotes
	Status  int    // HTTP status, or 0
}

// State is a value that is returned, or assigned to a name that looks like a state.
type State struct {
	Line  int
	Name  string // what it is assigned to, or "return"
	Value string // a string without quotes, or a member of an enumeration
}

// NamedValue is a constant with its value.
type NamedValue struct {
	Line        int
	Name, Value string
}

// maxFact is the maximum length of a fact's text in bytes, and maxFacts the maximum number of facts of one kind in a
// unit.
const (
	maxFact  = 240
	maxFacts = 200
)

// facts reads the facts of all units in one pass over the tokens.
func (c *cutter) facts() {
	names := map[string]bool{}
	for _, u := range c.units {
		if u.Kind == Constant {
			names[u.Name] = true
		}
	}
	r := &factReader{cutter: c, named: names, raisedEnd: none}
	next, open := 0, []int{}
	for i := range c.tokens {
		at := int(c.tokens[i].start)
		for ; next < len(c.units) && c.units[next].Start <= at; next++ {
			open = append(open, next)
		}
		for len(open) > 0 && c.units[open[len(open)-1]].End <= at {
			open = open[:len(open)-1]
		}
		if len(open) > 0 {
			r.read(&c.units[open[len(open)-1]], i)
		}
	}
}

type factReader struct {
	*cutter
	named     map[string]bool // constants that the file declares
	raisedEnd int             // last token of the last error that was read
}

// read adds the facts at token i to a unit.
func (r *factReader) read(u *Unit, i int) {
	f, values := &u.Facts, r.namedValue(u.Kind, i)
	f.Conditions = bounded(f.Conditions, r.condition(i)...)
	f.Failures = bounded(f.Failures, r.failure(u, i)...)
	f.States = bounded(f.States, r.states(i)...)
	f.Constants = bounded(f.Constants, values...)
	if name := r.text(i); len(values) == 0 && r.reads(i) && name != u.Name && !slices.Contains(f.Uses, name) {
		f.Uses = bounded(f.Uses, name)
	}
}

func bounded[T any](list []T, more ...T) []T {
	return append(list, more[:min(len(more), maxFacts-len(list))]...)
}

// line returns the line of token i, from 1.
func (r *factReader) line(i int) int { return r.lines.At(int(r.tokens[i].start)) }

// written returns the source from one token up to another, which is not included, on one line.
func (s *source) written(from, to int) string {
	from, to = max(from, 0), min(to, len(s.tokens))
	if from >= to {
		return ""
	}
	start := int(s.tokens[from].start)
	return shorten(string(s.src[start:min(int(s.tokens[to-1].end), start+4*maxFact)]))
}
