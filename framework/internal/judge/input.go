package judge

import (
	"github.com/sagasu-search/sagasu/framework/internal/judge/answer"
	"github.com/sagasu-search/sagasu/framework/internal/judge/section"
	"github.com/sagasu-search/sagasu/framework/internal/judge/tension"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/sdk/x/refer"
)

// Input is what is judged; of its evidences, those after the first [MostEvidences] are not read.
type Input struct {
	answer.Input
	// Resolve finds the section that a pointer of the evidence from means; nil resolves nothing.
	Resolve func(from int, p refer.Pointer) (toolset.Ref, bool)
	// Said is what judges said.
	Said Said
	// Answers judges answers; one is shared by the judgements of an owner.
	Answers *answer.Judge
}

// MostEvidences is how many evidences are compared (docs/reference/status.md).
const MostEvidences = tension.MostEvidences

func refOf(e *section.Section) toolset.Ref {
	return toolset.Ref{Target: "manual", ManualID: e.ManualID, Path: e.Path, StartLine: e.StartLine}
}
