package lane

import (
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/sagasu-search/sagasu/framework/internal/toolset"
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

func TestBadCasesAreRefused(t *testing.T) {
	for name, tc := range map[string]struct{ raw, parameter string }{
		"not JSON":         {`{"lanes": [`, ""},
		"more text":        {`{} {}`, ""},
		"unknown name":     {`{"lane": []}`, ""},
		"no type":          {`{"lanes": [{"docs": []}]}`, "lanes.0.lane"},
		"no id":            {`{"lanes": [{"lane": "fulltext", "docs": [""]}]}`, "lanes.0.docs"},
		"negative weight":  {`{"lanes": [{"lane": "fulltext", "weight": -1}]}`, "lanes.0.weight"},
		"unknown type":     {`{"lanes": [], "params": {"weights": {"fultext": 1}}}`, "weights.fultext"},
		"negative k":       {`{"params": {"rrf_k": -1}}`, "rrf_k"},
		"huge beta":        {`{"params": {"beta_fuse": 1e7}}`, "beta_fuse"},
		"negative code":    {`{"params": {"target_profile": {"ft": {"5B": -1}}}}`, "target_profile.ft.5B"},
		"no code":          {`{"params": {"target_profile": {"fi": {"": 1}}}}`, "target_profile.fi"},
		"a blank code":     {`{"params": {"target_profile": {"cpc": {"H01M": 1, "　": 1}}}}`, "target_profile.cpc"},
		"no term":          {`{"params": {"facet_terms": {"A": []}}}`, "facet_terms.A"},
		"blank term":       {`{"params": {"facet_terms": {"A": ["x", " "]}}}`, "facet_terms.A"},
		"unknown category": {`{"params": {"representatives": {"JP1": "D"}}}`, "representatives.JP1"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := ReadCase([]byte(tc.raw))
			if err == nil {
				t.Fatal("accepted")
			}
			if tc.parameter == "" {
				return
			}
			f, ok := errors.AsType[*toolset.Error](err)
			if !ok || f.Code != toolset.InvalidRRFCall || f.Details["parameter"] != tc.parameter {
				t.Errorf("%v, %+v", err, f)
			}
		})
	}
}

func TestNullsInACaseAreDefaults(t *testing.T) {
	c, err := ReadCase([]byte(`{"lanes": [{"lane": "fulltext", "weight": null, "docs": ["a"]}], "params": {"rrf_k": null, "beta_fuse": null, "pi_weights": null, "weights": null}}`))
	if err != nil {
		t.Fatal(err)
	}
	if got := c.Fuse().Ranked[0].Score; math.Abs(got-1.36/61) > 1e-12 {
		t.Errorf("score %v", got)
	}
}

func FuzzReadCase(f *testing.F) {
	f.Add([]byte(`{"lanes": [{"lane": "fulltext", "docs": ["a", "b"]}], "docs": {"a": {"fi": ["G06V10/82A"], "title": "t"}}, "params": {"facet_terms": {"A": ["t"]}, "target_profile": {"fi": {"G06V": 1}}}}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		c, err := ReadCase(raw)
		if err != nil {
			return
		}
		for _, d := range c.Fuse().Ranked {
			if math.IsNaN(d.Score) || math.IsInf(d.Score, 0) || d.Score < 0 {
				t.Fatalf("%s scores %v", d.PubID, d.Score)
			}
		}
	})
}
