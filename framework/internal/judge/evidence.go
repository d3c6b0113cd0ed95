package judge

import (
	"github.com/sagasu-search/sagasu/framework/internal/judge/answer"
	"github.com/sagasu-search/sagasu/framework/internal/judge/tension"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/x/refer"
)

// Evidence is a section as the judgement reads it.
type Evidence struct {
	ManualID  string
	Path      string
	StartLine int // of the section, from 1
	EndLine   int
	TextLine  int // of the first line of Text; 0 means StartLine
	// Heading is the heading path, its titles joined by " > ".
	Heading string
	// Text is the section's own text as it is written, without its heading.
	Text    string
	Signals []string
	Score   float64
}

// Input is what is judged.
type Input struct {
	Query sdk.Query
	// Words weigh the tokens of the query, see [answer.Weigh]; Held are its terms that retrieval found anywhere,
	// in whatever form; Matched is how many sections matched.
	Words   map[string]float64
	Held    []string
	Matched int
	// Evidences are in fused order; those after the first [MostEvidences] are not read.
	Evidences []Evidence
	// Nearest, if not nil, returns the word of the corpus that one it lacks was meant to be.
	Nearest func(word string) (string, bool)
	// Resolve finds the section that a pointer of the evidence from means; nil resolves nothing.
	Resolve func(from int, p refer.Pointer) (toolset.Ref, bool)
	// Answers judges answers; one is shared by the judgements of an owner.
	Answers *answer.Judge
}

// MostEvidences is how many evidences are compared (docs/reference/status.md).
const MostEvidences = tension.MostEvidences

func (e *Evidence) ref() toolset.Ref {
	return toolset.Ref{Target: "manual", ManualID: e.ManualID, Path: e.Path, StartLine: e.StartLine}
}
