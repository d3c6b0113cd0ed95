package lane

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// golden compares every NAME.in.json of a folder with its NAME.expected.json.
func golden(t *testing.T, folder string) {
	t.Helper()
	inputs, err := filepath.Glob(filepath.Join(folder, "*.in.json"))
	if err != nil || len(inputs) == 0 {
		t.Fatalf("no cases in %s, %v", folder, err)
	}
	for _, in := range inputs {
		t.Run(strings.TrimSuffix(filepath.Base(in), ".in.json"), func(t *testing.T) {
			raw, err := os.ReadFile(in)
			if err != nil {
				t.Fatal(err)
			}
			c, err := ReadCase(raw)
			if err != nil {
				t.Fatal(err)
			}
			expected, err := os.ReadFile(strings.TrimSuffix(in, ".in.json") + ".expected.json")
			if err != nil {
				t.Fatal(err)
			}
			var want CaseResult
			if err := json.Unmarshal(expected, &want); err != nil {
				t.Fatal(err)
			}
			reasons := cmpopts.IgnoreFields(want.Metrics, "Reasons")
			if want.Metrics.Reasons != nil {
				reasons = nil
			}
			if diff := cmp.Diff(want, c.Fuse(), cmpopts.EquateApprox(0, 1e-12), cmpopts.EquateEmpty(), reasons); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestGoldenCases(t *testing.T) { golden(t, "testdata/fuse") }

func TestSharedGoldenCases(t *testing.T) {
	shared := os.Getenv("SAGASU_SHARED")
	if shared == "" {
		t.Skip("SAGASU_SHARED names no folder with more golden cases")
	}
	golden(t, filepath.Join(shared, "golden", "rrf"))
}
