package evidence

import (
	"github.com/google/jsonschema-go/jsonschema"

	"github.com/sagasu-search/sagasu/framework/internal/logic/repo"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// Kind is what a line is evidence of.
type Kind string

// The kinds of evidence.
const (
	Code Kind = "code" // what a program does
	Spec Kind = "spec" // what a specification requires
)

// KindOf returns the kind of evidence in a file.
func KindOf(k repo.Kind) Kind {
	if k == repo.Code {
		return Code
	}
	return Spec
}

// MaxExcerpt is the longest excerpt in characters.
const MaxExcerpt = 240

// HighRelevance is the relevance from which a place counts as being about the question.
const HighRelevance Score = .7

// Evidence is a place in a repository that may decide a question.
type Evidence struct {
	ID      string `json:"id" required:"a string" filled:""`
	Kind    Kind   `json:"kind" required:"\"code\" or \"spec\"" enum:"code,spec"`
	Path    string `json:"path" required:"a path below the root" doc:"Relative to the root of the repository."`
	Line    *Line  `json:"line" required:"the line where the excerpt starts, or null" nullable:"" min:"1" doc:"Where the excerpt starts."`
	Excerpt string `json:"excerpt" required:"the lines as they stand in the file" filled:"" maxLength:"240"`
	// Relevance is high at [HighRelevance] or above.
	Relevance      Score     `json:"relevance" required:"a number from 0 to 1"`
	SourcePriority repo.Kind `json:"source_priority" required:"1, 2 or 3" doc:"1 code, 2 specifications of open changes, 3 main specifications."`
}

// Found is the evidence for a question.
type Found struct {
	Evidence          []Evidence `json:"evidence"`
	UnresolvedReasons []string   `json:"unresolved_reasons" doc:"What could not be covered: no_code_match, no_spec_match, no_code:<settings>, no_spec:<settings> where no file is either, unparsed:<path>, budget."`
	SearchScope       []string   `json:"search_scope" doc:"The paths that were searched."`
}

// Counters implements [toolset.Counter].
func (f Found) Counters() []any {
	return []any{"items", len(f.Evidence), "unresolved", len(f.UnresolvedReasons)}
}

// Line is the number of a line, from 1.
type Line int

// JSONSchema implements [toolset.Schemer].
func (Line) JSONSchema() *jsonschema.Schema {
	return &jsonschema.Schema{Type: "integer", Minimum: new(float64(1))}
}

// Score is a number from 0 to 1.
type Score float64

// JSONSchema implements [toolset.Schemer].
func (Score) JSONSchema() *jsonschema.Schema {
	return &jsonschema.Schema{Type: "number", Minimum: new(float64(0)), Maximum: new(float64(1))}
}

// ReadArgument implements [toolset.Reader].
func (s *Score) ReadArgument(a *toolset.Arguments, name string) {
	n, _ := a.Take(name)
	x, ok := n.Number()
	if !ok || x < 0 || x > 1 {
		a.Wrong(name, n, "a number from 0 to 1")
	}
	*s = Score(x)
}
