package judge_test

import (
	"context"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/sagasu-search/sagasu/framework/internal/judge"
	"github.com/sagasu-search/sagasu/framework/internal/judge/cases"
	"github.com/sagasu-search/sagasu/framework/internal/search"
	"github.com/sagasu-search/sagasu/sdk"
)

// built judges without a deadline.
func built(in judge.Input) *judge.Graph {
	g, err := judge.Build(context.Background(), in)
	if err != nil {
		panic(err) // the context never ends
	}
	return g
}

func scored(t testing.TB, all []cases.Case) map[string]judge.Score {
	t.Helper()
	scores, err := judge.ScoreCases(t.Context(), all)
	if err != nil {
		t.Fatal(err)
	}
	return scores
}

func plan(q string) sdk.Query { return search.Plan(q, 0.3) }

func readCases(t testing.TB, name string) []cases.Case {
	t.Helper()
	f, err := os.Open("../../../testdata/judge/" + name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	all, err := cases.Read(f, plan)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// halves splits the cases, so that a good result for all cannot come from a few.
func halves(all []cases.Case) map[string][]cases.Case {
	out := map[string][]cases.Case{"both": all}
	for i, c := range all {
		half := [...]string{"even", "odd"}[i%2]
		out[half] = append(out[half], c)
	}
	return out
}

// The cases were written for rules that no longer exist, many of them as traps. The bounds are just below what the
// fitted judgement reaches.
func TestJudgedCases(t *testing.T) {
	const precision, recall = 0.55, 0.5
	all := readCases(t, "cases.jsonl")
	explain(t, all)
	for half, some := range halves(all) {
		scores := scored(t, some)
		for _, key := range slices.Sorted(maps.Keys(scores)) {
			s := scores[key]
			t.Logf("%-5s %-34s conflicts %s   gaps %s", half, key, show(s.Conflicts), show(s.Gaps))
			if strings.Contains(key, "/") {
				continue // too few of one kind for a threshold
			}
			for what, tally := range map[string]cases.Tally{"conflicts": s.Conflicts, "gaps": s.Gaps} {
				if tally.Precision() < precision || tally.Recall() < recall {
					t.Errorf("%s half, %s: %s %s", half, key, what, show(tally))
				}
			}
		}
	}
}

// TestFreshCases checks the cases that were written without looking at the judgement. The bounds are just below what is
// reached; docs/quality.md says what the result means.
func TestFreshCases(t *testing.T) {
	all := readCases(t, "fresh.jsonl")
	explain(t, all)
	s := scored(t, all)["all"]
	t.Logf("conflicts %s   gaps %s", show(s.Conflicts), show(s.Gaps))
	if s.Conflicts.Precision() < 0.5 || s.Conflicts.Recall() < 0.35 || s.Gaps.Precision() < 0.5 || s.Gaps.Recall() < 0.6 {
		t.Errorf("conflicts %s, gaps %s", show(s.Conflicts), show(s.Gaps))
	}
}

func show(t cases.Tally) string {
	return fmt.Sprintf("p %.2f r %.2f (%d right, %d wrong, %d missed)", t.Precision(), t.Recall(), t.Right, t.Wrong, t.Missed)
}

// explain logs the wrongly judged cases, for go test -v.
func explain(t *testing.T, all []cases.Case) {
	for _, c := range all {
		g := built(judge.InputOf(&c))
		if s := judge.ScoreOf(&c, g); s.Conflicts.Wrong+s.Conflicts.Missed+s.Gaps.Wrong+s.Gaps.Missed > 0 {
			t.Logf("%s %s %q: want %v and %q, gaps %+v", c.ID, c.Kind, c.Query.Raw, c.Conflicts,
				c.Gaps, g.Gaps)
			for _, x := range g.Conflicts {
				t.Logf("   %s: %q | %q", x.Kind, x.A.Text, x.B.Text)
			}
		}
	}
}

func TestCasesAreWellFormed(t *testing.T) {
	kinds, seen := map[string]int{}, map[string]bool{}
	for _, c := range append(readCases(t, "cases.jsonl"), readCases(t, "fresh.jsonl")...) {
		kind, _, _ := strings.Cut(c.Kind, "/")
		kinds[c.Lang+" "+kind]++
		if seen[c.ID] || c.Query.Raw == "" || len(c.Evidences) < 2 {
			t.Errorf("%s: twice, without a query or with too few sections", c.ID)
		}
		seen[c.ID] = true
		if (kind == "conflict") != (len(c.Conflicts) > 0) || (kind == "gap") != (len(c.Gaps) > 0) {
			t.Errorf("%s is a %s and expects %v and %q", c.ID, kind, c.Conflicts, c.Gaps)
		}
	}
	for _, lang := range []string{"ja", "en"} {
		for _, kind := range []string{"conflict", "gap", "clean"} {
			if n := kinds[lang+" "+kind]; n < 20 {
				t.Errorf("%d cases of %s %s", n, lang, kind)
			}
		}
	}
}
