package toolset

import (
	"math"
	"os"
	"path/filepath"
	"testing"
)

// The wanted counts are those of o200k_base.
func TestEstimateTokens(t *testing.T) {
	for name, want := range map[string]float64{
		"workspace/manuals/aoba-nas/12-hosho.md":               658,
		"workspace/manuals/aoba-nas/01-hajimeni.md":            906,
		"workspace/manuals/aoba-nas/error-codes.json":          1088,
		"workspace/manuals/aoba-nas/en/safety-and-warranty.md": 326,
		"workspace/manuals/minato-runbook/03-deploy.md":        493,
		"logic/repo/backend/py/billing.py":                     296,
		"logic/repo/backend/go/tickets.go":                     283,
	} {
		text, err := os.ReadFile(filepath.Join("../../../testdata", filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		if got := float64(EstimateTokens(string(text))); math.Abs(got/want-1) > 0.15 {
			t.Errorf("%s: %v, o200k_base counts %v", name, got, want)
		}
	}
	if n := EstimateTokens(""); n != 0 {
		t.Errorf("nothing costs %d", n)
	}
}
