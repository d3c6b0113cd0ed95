package evidence

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sagasu-search/sagasu/framework/internal/eval"
	"github.com/sagasu-search/sagasu/framework/internal/logic/repo"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// samples is the folder of the sample repositories and their questions.
var samples = filepath.Join("..", "..", "..", "..", "testdata", "logic")

// asked is a question with the units that it is about.
type asked struct {
	Repo, Question    string
	Spec, Requirement string
	Code              string
	Units             []string
}

func readAsked(t *testing.T) (all []asked) {
	t.Helper()
	src, err := os.ReadFile(filepath.Join(samples, "questions.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range bytes.Lines(src) {
		var q asked
		if err := json.Unmarshal(line, &q); err != nil {
			t.Fatal(err)
		}
		all = append(all, q)
	}
	return all
}

// about reports whether the question is about a unit of code.
func (q asked) about(h hit) bool {
	return h.Path == q.Code && slices.ContainsFunc(q.Units, func(u string) bool { return strings.HasSuffix("."+h.Title, "."+u) })
}

// binds reports whether a unit is the requirement that a question is about, in the main specification or in an open
// change of it.
func (q asked) binds(h hit) bool {
	return h.Title == q.Requirement && strings.HasSuffix(h.Path, strings.TrimPrefix(q.Spec, "openspec/"))
}

func openSample(t *testing.T, dir string) (*Searcher, *snapshot.Snapshot) {
	t.Helper()
	return openGlobs(t, dir, repo.DefaultGlobs())
}

func openGlobs(t *testing.T, dir string, globs repo.Globs) (*Searcher, *snapshot.Snapshot) {
	t.Helper()
	s := New(Options{Dir: t.TempDir(), Root: dir, Globs: globs})
	t.Cleanup(func() { s.Close() })
	v, err := s.index.View(t.Context(), time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(v.Release)
	return s, v.Snapshot
}

// TestQuestionsInOtherWords checks the ranks of the right units for questions that do not use the words of the code.
// Half of them are in another language than the specification.
func TestQuestionsInOtherWords(t *testing.T) {
	const leastCode, leastSpec = .91, .86 // mean reciprocal ranks, slightly below the measured ones
	snaps := map[string]*snapshot.Snapshot{}
	var code, specs float64
	questions := readAsked(t)
	for _, q := range questions {
		snap, ok := snaps[q.Repo]
		if !ok {
			_, snap = openSample(t, filepath.Join(samples, q.Repo))
			snaps[q.Repo] = snap
		}
		r := rank(t.Context(), snap, newLexicon(snap, repo.DefaultGlobs()), q.Question)
		at, bound := slices.IndexFunc(r.code, q.about), slices.IndexFunc(r.specs, q.binds)
		code, specs = code+reciprocal(at), specs+reciprocal(bound)
		if at != 0 || bound != 0 {
			t.Logf("code at %d, specification at %d: %s", at+1, bound+1, q.Question)
		}
	}
	n := float64(len(questions))
	t.Logf("%v questions, mean reciprocal rank of code %.3f, of specifications %.3f", n, code/n, specs/n)
	if code/n < leastCode || specs/n < leastSpec {
		t.Errorf("mean reciprocal ranks fell below %v and %v", leastCode, leastSpec)
	}
}

func reciprocal(i int) float64 {
	if i < 0 {
		return 0
	}
	return 1 / float64(i+1)
}

// measured is what a search found for the questions of a set.
type measured struct {
	report      *eval.Report
	recall      float64      // of the expected files, mean over the questions
	reliability [bands]tally // of items of code, by relevance
	gold, high  int          // expected files, and how many of them had high relevance
}

// bands is the number of intervals of relevance.
const bands = 10

// tally counts items and those that are in expected files.
type tally struct{ items, right int }

func (n tally) String() string {
	return fmt.Sprintf("%d, %.2f right", n.items, float64(n.right)/float64(max(1, n.items)))
}

// above sums up the items of at least a given relevance.
func (m *measured) above(least Score) (sum tally) {
	for i, n := range m.reliability {
		if Score(i) >= least*bands {
			sum.items, sum.right = sum.items+n.items, sum.right+n.right
		}
	}
	return sum
}

// String returns the reliability table of a set.
func (m *measured) String() string {
	var b strings.Builder
	for i, n := range m.reliability {
		if n.items > 0 {
			fmt.Fprintf(&b, "from .%d %v; ", i, n)
		}
	}
	fmt.Fprintf(&b, "from %v on %v, %d of %d files asked for", HighRelevance, m.above(HighRelevance), m.high, m.gold)
	return b.String()
}

// TestEvidenceBesidePlainBM25 measures the files that Find returns.
func TestEvidenceBesidePlainBM25(t *testing.T) {
	for set, least := range map[string]float64{"code_codebase": .925, "spec_diagnoleads_ja": .95} {
		t.Run(set, func(t *testing.T) {
			dir, queries := judged(t, set)
			s, _ := openSample(t, dir)
			base, err := eval.Run(t.Context(), queries, newPlain(t, dir, repo.DefaultGlobs()).search, eval.Options{})
			if err != nil {
				t.Fatal(err)
			}
			for _, most := range []int{8, 20} {
				m := measure(t, s, queries, most)
				d := eval.Paired(figures(m.report), figures(base))
				t.Logf("%d items: nDCG@10 %.3f (plain %.3f; %+.3f [%+.3f, %+.3f], %d better, %d worse), recall %.3f, median %.1f ms\n%v",
					most, m.report.NDCG, base.NDCG, d.Mean, d.Low, d.High, d.Better, d.Worse, m.recall, m.report.P50MS, m)
				if m.report.NDCG < least {
					t.Errorf("nDCG@10 fell below %v", least)
				}
				if high := m.above(HighRelevance); high.right*5 < high.items*4 || m.high*2 < m.gold {
					t.Errorf("relevance promises more than it holds, or too little: %v", m)
				}
			}
		})
	}
}

// judged returns the repository and the questions of a set, which are judged by file.
func judged(t *testing.T, set string) (string, []eval.Query) {
	t.Helper()
	shared := os.Getenv("SAGASU_SHARED")
	if shared == "" {
		t.Skip("SAGASU_SHARED does not name the folder that holds eval")
	}
	f, err := os.Open(filepath.Join(shared, "eval", set, "queries.jsonl"))
	if err != nil {
		t.Skip("the set is not there: ", err)
	}
	defer f.Close()
	queries, err := eval.ReadQueries(f)
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(shared, "eval", set, "corpus", queries[0].Relevant[0].ManualID)
	for _, q := range queries {
		for i := range q.Relevant {
			q.Relevant[i] = eval.Target{Path: q.Relevant[i].Path, Grade: q.Relevant[i].Grade}
		}
	}
	return dir, queries
}

func measure(t *testing.T, s *Searcher, queries []eval.Query, most int) *measured {
	t.Helper()
	m, at := &measured{}, 0
	search := func(ctx context.Context, query, _ string) (eval.Found, error) {
		f, err := s.Find(ctx, query, most)
		found := m.count(f.Evidence, queries[at].Relevant)
		at++
		return found, err
	}
	var err error
	if m.report, err = eval.Run(t.Context(), queries, search, eval.Options{}); err != nil {
		t.Fatal(err)
	}
	m.recall /= float64(len(queries))
	return m
}

func (m *measured) count(evidence []Evidence, relevant []eval.Target) (found eval.Found) {
	wanted, files := map[string]bool{}, 0
	for _, x := range relevant {
		if !wanted[x.Path] {
			wanted[x.Path], files = true, files+1
		}
	}
	m.gold += files
	told := map[string]bool{}
	for _, e := range evidence {
		found.Ranking = append(found.Ranking, eval.Target{Path: e.Path})
		first := wanted[e.Path] && !told[e.Path]
		if band := &m.reliability[min(int(e.Relevance*bands), bands-1)]; e.Kind == Code {
			if band.items++; wanted[e.Path] {
				band.right++
			}
		}
		if first {
			told[e.Path] = true
			m.recall += 1 / float64(files)
			if e.Relevance >= HighRelevance {
				m.high++
			}
		}
	}
	return found
}

func figures(r *eval.Report) (out []float64) {
	for _, o := range r.PerQuery {
		out = append(out, o.NDCG)
	}
	return out
}
