package judge

import (
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

	page *page // if it was read ahead
}

// Input is what is judged.
type Input struct {
	Query sdk.Query
	// Reading, if not nil, was made of Query and Lexicons and may have read Evidences. It
	// serves one judgement.
	Reading *Reading
	// Evidences are in fused order; those after the first [MostEvidences] are not read.
	Evidences []Evidence
	// Resolve finds the section that a pointer of the evidence from means; nil resolves nothing.
	Resolve func(from int, p refer.Pointer) (toolset.Ref, bool)
	// Normalized, if not nil, gives the own text of an evidence normalised and whole, of
	// which Text may be a part.
	Normalized func(n int) string
	// Lexicons, if not nil, is shared by the judgements of one caller.
	Lexicons *Lexicons
}

// MostEvidences is how many evidences are read and compared (docs/reference/status.md).
const MostEvidences = 50

func (e *Evidence) ref() toolset.Ref {
	return toolset.Ref{Target: "manual", ManualID: e.ManualID, Path: e.Path, StartLine: e.StartLine}
}

func (e *Evidence) firstLine() int {
	if e.TextLine > 0 {
		return e.TextLine
	}
	return e.StartLine
}
