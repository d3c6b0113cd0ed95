package answer

import "github.com/sagasu-search/sagasu/framework/internal/logic/evidence"

// Status says what an answer is.
type Status string

// The statuses.
const (
	OK           Status = "ok"
	Insufficient Status = "insufficient_evidence"
	OutOfScope   Status = "out_of_scope"
)

// Answer is what the evidence says on a question.
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
