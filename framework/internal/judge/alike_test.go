package judge

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/sdk"
)

// What is true of one frame of a query is told of another only where both find the same gaps.
func TestAlike(t *testing.T) {
	const (
		steps   = "To reset the router, press the button for ten seconds.\n1. Press the button.\n2. Wait.\n"
		mention = "The router was reset yesterday.\n"
		contact = "Our support is friendly.\n"
	)
	bare := []sdk.Intent{sdk.IntentUnknown}
	for _, x := range []struct {
		query  sdk.Query
		text   string
		want   []sdk.Intent
		framed sdk.Query // a query in a frame that is not alike
	}{
		{query: ask(sdk.IntentUnknown, "reset the router", "reset", "router"), text: steps, want: []sdk.Intent{sdk.IntentDefinition, sdk.IntentProcedure}},
		{query: ask(sdk.IntentUnknown, "reset the router", "reset", "router"), text: mention, want: []sdk.Intent{sdk.IntentDefinition},
			framed: ask(sdk.IntentProcedure, "how do I reset the router", "reset", "router")},
		{query: ask(sdk.IntentUnknown, "contact support", "contact", "support"), text: contact, want: []sdk.Intent{sdk.IntentDefinition},
			framed: ask(sdk.IntentProcedure, "how do I contact support", "contact", "support")},
		{query: ask(sdk.IntentProcedure, "how do I reset the router", "reset", "router"), text: steps, want: bare},
		{query: ask(sdk.IntentProcedure, "how do I reset the router", "reset", "router"), text: mention},
		{query: ask(sdk.IntentDefinition, "routerとは", "router"), text: mention, want: bare},
		{query: ask(sdk.IntentEligibility, "can I reset the router", "reset", "router"), text: steps},
	} {
		evidences := []Evidence{{ManualID: "m", Path: "a.md", StartLine: 1, TextLine: 2, Heading: "Notes", Text: x.text}}
		got := built(Input{Query: x.query, Evidences: evidences})
		if diff := cmp.Diff(x.want, got.Alike); diff != "" {
			t.Errorf("%s of %q (-want +got):\n%s", x.query.Raw, x.text, diff)
		}
		if x.framed.Raw != "" && len(got.Gaps) == len(built(Input{Query: x.framed, Evidences: evidences}).Gaps) {
			t.Errorf("%s of %q has the gaps of %s", x.framed.Raw, x.text, x.query.Raw)
		}
	}
}
