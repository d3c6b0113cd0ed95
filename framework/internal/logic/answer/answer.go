package answer

import (
	"context"
	"slices"
	"strings"

	"github.com/sagasu-search/sagasu/framework/internal/logic/evidence"
)

// Status is the kind of an answer.
type Status string

// The statuses.
const (
	OK           Status = "ok"
	Insufficient Status = "insufficient_evidence"
	OutOfScope   Status = "out_of_scope"
)

// Answer is the answer to a question, as the evidence gives it.
type Answer struct {
	Answer       string         `json:"answer"`
	Evidence     []Ground       `json:"evidence"`
	Confidence   evidence.Score `json:"confidence"`
	SpecMismatch bool           `json:"spec_mismatch"`
	Compared     int            `json:"compared" doc:"How many pairs of values of code and specifications were compared: at 0, spec_mismatch is false because nothing was."`
	Unknowns     []string       `json:"unknowns" doc:"mismatch:<spec>:<code>, spec_conflict:<spec>:<spec>, stale:<path>:<line>, missing:<amount, time, state, status, who or list>, and what else the evidence does not tell."`
	Status       Status         `json:"status" enum:"ok,insufficient_evidence,out_of_scope"`
}

// Ground is a line that backs a statement of an answer.
type Ground struct {
	Kind  evidence.Kind  `json:"kind" enum:"code,spec"`
	Path  string         `json:"path"`
	Line  *evidence.Line `json:"line"`
	Claim string         `json:"claim" doc:"The statement of the answer that this backs."`
}

// Counters implements [toolset.Counter].
func (a Answer) Counters() []any {
	return []any{"status", a.Status, "items", len(a.Evidence), "spec_mismatch", a.SpecMismatch,
		"unknowns", len(a.Unknowns)}
}

// Answerer words an answer from claims.
type Answerer interface {
	// Word chooses and words statements; each names the claims that back it.
	Word(ctx context.Context, m Material) (Wording, error)
}

// Material is everything that an answer may use.
type Material struct {
	Question string
	Japanese bool
	Claims   []Claim
}

// Wording is an answer in statements.
type Wording struct {
	Statements []Statement
	// Dropped are statements that no claim backs.
	Dropped []string
}

// Statement is a sentence of an answer.
type Statement struct {
	Text   string
	Claims []int // indexes of the claims that back it
}

// extracts words an answer by repeating the claims.
func extracts(claims []Claim) (w Wording) {
	for i, c := range claims {
		w.Statements = append(w.Statements, Statement{c.Text, []int{i}})
	}
	return w
}

// text returns the answer as one text with a line for each statement.
func (w Wording) text() string {
	lines := []string{}
	for _, s := range w.Statements {
		lines = append(lines, s.Text)
	}
	return strings.Join(slices.Compact(lines), "\n")
}
