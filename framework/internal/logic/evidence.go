package logic

// Kind tells what a line is evidence of.
type Kind string

// The kinds of evidence.
const (
	Code Kind = "code" // what a program does
	Spec Kind = "spec" // what a specification wants
)

// Bounds of the contract.
const (
	MaxEvidence     = 20  // items of a call
	DefaultEvidence = 8   // items of a search that names no number
	MaxExcerpt      = 240 // characters of an excerpt
	Backend         = "backend"
)

// Evidence is a place in a repository that may decide a question.
type Evidence struct {
	ID      string `json:"id"`
	Kind    Kind   `json:"kind"`
	Path    string `json:"path"`    // relative to the root, '/'-separated
	Line    *int   `json:"line"`    // where the excerpt starts, from 1
	Excerpt string `json:"excerpt"` // at most MaxExcerpt characters
	// Relevance is from 0 to 1; from [HighRelevance] on the place is about the question.
	Relevance float64 `json:"relevance"`
	// SourcePriority is 1 for code, 2 for specifications of open changes, 3 for main ones.
	SourcePriority int `json:"source_priority"`
}

// HighRelevance is the relevance from which on code is held against specifications, contract.
const HighRelevance = .7

// FindRequest asks for evidence.
type FindRequest struct {
	Question    string
	Scope       string // always Backend
	MaxEvidence int    // from 1 to MaxEvidence
}

// Found is the evidence for a question.
type Found struct {
	Evidence []Evidence `json:"evidence"`
	// UnresolvedReasons say what could not be covered: no_code_match,
	// no_spec_match, unparsed:<path>, budget.
	UnresolvedReasons []string `json:"unresolved_reasons"`
	SearchScope       []string `json:"search_scope"` // the paths that were searched
}

// AskRequest asks for an answer from evidence.
type AskRequest struct {
	Question string
	Evidence []Evidence
}

// Status tells what an answer is.
type Status string

// The statuses.
const (
	OK           Status = "ok"
	Insufficient Status = "insufficient_evidence"
	OutOfScope   Status = "out_of_scope"
)

// Answer is what the evidence tells.
type Answer struct {
	Answer       string   `json:"answer"`
	Evidence     []Ground `json:"evidence"`
	Confidence   float64  `json:"confidence"` // from 0 to 1
	SpecMismatch bool     `json:"spec_mismatch"`
	Unknowns     []string `json:"unknowns"`
	Status       Status   `json:"status"`
}

// Ground is a line that backs a statement of an answer.
type Ground struct {
	Kind  Kind   `json:"kind"`
	Path  string `json:"path"`
	Line  *int   `json:"line"`
	Claim string `json:"claim"`
}
