package judge

import (
	"strings"

	"github.com/sagasu-search/sagasu/sdk"
)

// facets in the order in which they are listed.
var facets = [...]sdk.Intent{sdk.IntentDefinition, sdk.IntentProcedure, sdk.IntentEligibility, sdk.IntentExceptions, sdk.IntentCompare, sdk.IntentUnknown}

var (
	definitionCues = cues("とは、", "とは", "をいう", "をいいます", "を指し", "を指す", "を意味", "のことです", "のことを", "という。", "といいます。", " means ", " refers to ", " is defined ", " is called ", " stands for ", " denotes ")
	rights         = cues("対象", "資格", "条件", "できません", "できない", "eligib", "qualif", "entitle", "allowed", "permitted", "can ", "may ", "must ", "required", "cannot ")
	compareCues    = cues("より", "違い", "一方", "に比べ", "のに対し", "whereas", "compared", "in contrast", "unlike", " than ", "difference")
)

// shows reports whether a sentence has the form of a facet. What is asked
// without a facet has no form but its subject.
func (s *sentence) shows(f sdk.Intent) bool {
	if s.kind == asks {
		return false
	}
	switch f {
	case sdk.IntentDefinition:
		return s.has(definitionCues) || defines(s.norm)
	case sdk.IntentProcedure:
		return statesSteps(s)
	case sdk.IntentEligibility:
		return s.has(rights) || s.has(grantsJa) || s.has(demandsJa) || s.has(waivesJa)
	case sdk.IntentExceptions:
		return statesException(s)
	case sdk.IntentCompare:
		return s.has(compareCues)
	}
	return true
}

// defines reports a sentence of the form "X is a …" or "Xは…です".
func defines(norm string) bool {
	if i := strings.Index(norm, " is a"); i >= 0 && i < 60 {
		return true
	}
	i := strings.Index(norm, "は")
	return i > 0 && i < 90 && endsIn(norm, []string{"です。", "である。", "だ。", "です", "である"})
}
