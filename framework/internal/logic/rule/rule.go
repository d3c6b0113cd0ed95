package rule

import (
	"net/http"
	"strings"
)

// Kind is what a value is.
type Kind string

// The kinds.
const (
	Number Kind = "number" // with its unit: 25 MB, 3 attempts
	Status Kind = "status" // an HTTP status of a failure
	Flag   Kind = "flag"   // whether a setting is true where nothing is said
)

// Rule is a value that a line of code holds, or that a specification wants.
type Rule struct {
	Path, Name string // the file, and the unit in it
	Line       int    // from 1
	Text       string // as written, on one line
	Kind       Kind
	Amount     Quantity // of a Number
	role       role     // of a Number
	Status     int      // of a Status
	Flag       string   // of a Flag: true or false
	reason     int      // of a Status of a specification: the one that the words beside it name, if that is another
	setting    string   // the folded name of what has the value by default, or ""
	said       said
}

// said is what stands around a value: ideas with their closeness, which is 1 on its own
// line or in its own clause and less for what only surrounds these.
type said map[string]float64

// add adds the ideas of a text.
func (s said) add(text string, closeness float64) {
	for idea := range Ideas(text) {
		s[idea] = max(s[idea], closeness)
	}
}

// with returns a copy with more ideas.
func (s said) with(text string, closeness float64) said {
	all := said{}
	for idea, c := range s {
		all[idea] = c
	}
	all.add(text, closeness)
	return all
}

// same reports whether two rules have the same value.
func (r *Rule) same(o *Rule) bool {
	switch r.Kind {
	case Status:
		return r.Status == o.Status
	case Flag:
		return r.Flag == o.Flag
	default:
		return r.Amount.same(o.Amount)
	}
}

// differs reports whether two values may be of the same thing and are not equal.
func (r *Rule) differs(o *Rule) bool {
	if r.Kind != o.Kind || r.same(o) || r.role != "" && o.role != "" && r.role != o.role {
		return false
	}
	if r.Kind == Status && (r.ownWay() || o.ownWay()) && r.reason == 0 && o.reason == 0 {
		return false
	}
	return r.Kind != Number || r.Amount.comparable(o.Amount)
}

// ownWay reports whether a status is one that frameworks answer with, and seldom a line of the program.
func (r *Rule) ownWay() bool { return r.Status >= 500 || r.Status == http.StatusMethodNotAllowed }

// oneLine folds a text to one line.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// sameLine reports whether two rules stand on one line.
func (r *Rule) sameLine(o *Rule) bool { return r.Line == o.Line && r.Path == o.Path }
