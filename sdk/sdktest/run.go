package sdktest

import (
	"encoding/json"
	"testing"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/x/conformance"
)

// Run checks that the strategies that make gives keep every rule that the host relies
// on, called in this process and over gRPC. Each rule is a subtest; a failure says what
// was broken and why it matters. Run the test with -race: calls are made side by side.
//
//	func TestConformance(t *testing.T) { sdktest.Run(t, New) }
func Run[S sdk.Strategy](t *testing.T, make func() S) {
	t.Helper()
	RunConfigured(t, make, nil)
}

// RunConfigured is [Run] for a strategy that is to be configured first.
func RunConfigured[S sdk.Strategy](t *testing.T, make func() S, config json.RawMessage) {
	t.Helper()
	either := func() sdk.Strategy { return make() }
	t.Run("in process", func(t *testing.T) {
		examine(t, conformance.Subject{Start: conformance.InProcess(either, t.TempDir()), Config: config})
	})
	t.Run("over gRPC", func(t *testing.T) {
		examine(t, conformance.Subject{Start: conformance.OverGRPC(either, t.TempDir()), Config: config})
	})
}

// examine checks one rule after the other.
func examine(t *testing.T, subject conformance.Subject) {
	subject.Dir = t.TempDir()
	suite, err := conformance.New(t.Context(), subject)
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
			if err := suite.Check(t.Context(), rule); err != nil {
				t.Errorf("%s\nbroken: %v\nwhy it matters: %s", rule.Text, err, rule.Why)
			}
		})
	}
}
