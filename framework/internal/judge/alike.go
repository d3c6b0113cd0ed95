package judge

import (
	"slices"

	"github.com/sagasu-search/sagasu/sdk"
)

// alike returns the other intents with which the query would find the same gaps. A bare query and one in the
// frame of a definition or a procedure (返品とは, how do I return) find the same sections; they differ in
// the forms of answer that they need, and in nothing where none of these is missing.
func (r *reader) alike() []sdk.Intent {
	given := func(norm string, intent sdk.Intent) bool {
		return !slices.ContainsFunc(needsOf(norm, intent), func(n *need) bool { return !r.given(n) })
	}
	switch intent := r.q.intent; {
	case !given(r.q.norm, intent):
		return nil
	case intent == sdk.IntentDefinition || intent == sdk.IntentProcedure:
		return []sdk.Intent{sdk.IntentUnknown}
	case intent != sdk.IntentUnknown:
		return nil
	case given("how to "+r.q.norm, sdk.IntentProcedure):
		return []sdk.Intent{sdk.IntentDefinition, sdk.IntentProcedure}
	}
	return []sdk.Intent{sdk.IntentDefinition}
}
