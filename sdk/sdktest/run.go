package sdktest

import (
	"encoding/json"
	"testing"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/x/conformance"
)

// Run checks that the strategies returned by make follow every rule that the host relies on. It serves them in this
// process and calls them over gRPC. Each rule is a subtest; a failure says what was broken and why it matters. Run the
// test with -race, since calls are concurrent.
//
//	func TestConformance(t *testing.T) { sdktest.Run(t, New) }
func Run[S sdk.Strategy](t *testing.T, make func() S) {
	t.Helper()
	RunConfigured(t, make, nil)
}

// RunConfigured is like [Run], but configures the strategy first.
func RunConfigured[S sdk.Strategy](t *testing.T, make func() S, config json.RawMessage) {
	t.Helper()
	start := conformance.Local(func() sdk.Strategy { return make() }, t.TempDir())
	suite, err := conformance.New(t.Context(), conformance.Subject{Start: start, Config: config, Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := suite.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	}()
	for _, rule := range conformance.Rules() {
		t.Run(rule.ID, func(t *testing.T) {
			if suite.Unanswered() {
				t.Skip("no query gets a result")
			}
			if err := suite.Check(t.Context(), rule); err != nil {
				t.Errorf("%s\nbroken: %v\nwhy it matters: %s", rule.Text, err, rule.Why)
			}
		})
	}
}
