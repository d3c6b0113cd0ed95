package judge_test

import (
	"bufio"
	"cmp"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"github.com/sagasu-search/sagasu/framework/internal/judge"
	"github.com/sagasu-search/sagasu/framework/internal/judge/answer"
	"github.com/sagasu-search/sagasu/framework/internal/judge/section"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/sdk/x/refer"
)

// sample is a query with sections, which need not answer it.
type sample struct {
	query    string
	sections [3]part
}

type part struct{ heading, text string }

// FuzzJudgement feeds queries and sections through the whole judgement.
func FuzzJudgement(f *testing.F) {
	for _, name := range [...]string{"cases.jsonl", "fresh.jsonl"} {
		for _, c := range readCases(f, name) {
			s := sample{query: c.Query.Raw}
			for i := range min(len(s.sections), len(c.Evidences)) {
				s.sections[i] = part{c.Evidences[i].Heading, c.Evidences[i].Text}
			}
			add(f, s)
		}
	}
	for _, s := range samples(f) {
		add(f, s)
	}
	f.Fuzz(func(t *testing.T, query, h1, t1, h2, t2, h3, t3 string) {
		checkJudgement(t, sample{query, [...]part{{h1, t1}, {h2, t2}, {h3, t3}}})
	})
}

func add(f *testing.F, s sample) {
	x := s.sections
	f.Add(s.query, x[0].heading, x[0].text, x[1].heading, x[1].text, x[2].heading, x[2].text)
}

// TestJudgementOfSets judges queries of the evaluation sets with sections that answer them and others.
func TestJudgementOfSets(t *testing.T) {
	all := samples(t)
	if len(all) == 0 {
		t.Skip("neither SAGASU_SHARED nor ../shared holds evaluation sets")
	}
	for _, s := range all {
		checkJudgement(t, s)
	}
}

// samples returns a few queries of each available evaluation set, each with the text that answers it and those of the
// next two.
func samples(t testing.TB) (out []sample) {
	const most, longest = 20, 8 << 10
	shared := cmp.Or(os.Getenv("SAGASU_SHARED"), filepath.Join("..", "..", "..", "..", "shared"))
	files, err := filepath.Glob(filepath.Join(shared, "eval", "*", "queries.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		var queries []string
		var texts []part
		lines := bufio.NewScanner(f)
		lines.Buffer(nil, 1<<20)
		for lines.Scan() && len(queries) < most {
			var q struct {
				Query    string `json:"query"`
				Relevant []struct {
					ManualID string `json:"manual_id"`
					Path     string `json:"path"`
					Heading  string `json:"heading"`
				} `json:"relevant"`
			}
			if err := json.Unmarshal(lines.Bytes(), &q); err != nil {
				t.Fatal(err)
			}
			if len(q.Relevant) == 0 {
				continue
			}
			r := q.Relevant[0]
			body, err := os.ReadFile(filepath.Join(filepath.Dir(name), "corpus", r.ManualID, r.Path))
			if err != nil {
				continue // a set may store its texts in another form
			}
			queries = append(queries, q.Query)
			texts = append(texts, part{r.Heading, string(body[:min(len(body), longest)])})
		}
		if err := lines.Err(); err != nil {
			t.Fatal(err)
		}
		for i, q := range queries {
			n := len(texts)
			out = append(out, sample{q, [...]part{texts[i], texts[(i+1)%n], texts[(i+2)%n]}})
		}
	}
	return out
}

// checkJudgement judges a sample and checks what every judgement must satisfy: quotes are in the section and on the
// line that they name, and probabilities are in [0, 1].
func checkJudgement(t *testing.T, s sample) {
	t.Helper()
	in := judge.Input{
		Input: answer.Input{
			Query:   plan(s.query),
			Nearest: func(string) (string, bool) { meant, _, ok := strings.Cut(s.sections[0].text, " "); return meant, ok },
		},
		Resolve: func(from int, _ refer.Pointer) (toolset.Ref, bool) { return toolset.Ref{Path: "a"}, from%2 == 0 },
	}
	sections := make(map[string]section.Section)
	for i, x := range s.sections {
		e := section.Section{
			ManualID: "m", Path: string(rune('a' + i)), StartLine: 10 * i, TextLine: 10*i + 1, Heading: x.heading, Text: x.text,
		}
		in.Evidences, sections[e.Path] = append(in.Evidences, e), e
	}
	in.WithoutIndex()
	g := built(in)
	quoted := func(what, path string, line int, quote string) {
		t.Helper()
		e, ok := sections[path]
		if end := e.TextLine + strings.Count(e.Text, "\n"); !ok || line < e.StartLine || line > end {
			t.Errorf("%s: line %d of %q, a section of the lines %d to %d", what, line, path, e.StartLine, end)
		}
		if !strings.Contains(unspaced(e.Text), unspaced(quote)) {
			t.Errorf("%s: %q does not stand in %q", what, quote, e.Text)
		}
	}
	probable := func(what string, p float64) {
		t.Helper()
		if !(p >= 0 && p <= 1) { // also rejects NaN
			t.Errorf("%s: probability %v", what, p)
		}
	}
	path := func(id string) string { return g.Evidences[id[1]-'1'].Ref.Path }
	if a := g.Answer; a != nil {
		quoted("answer", a.Path, a.Line, a.Text)
	}
	for _, p := range g.Relevance {
		probable("relevance", p)
	}
	for _, x := range g.Tensions {
		probable("tension", x.Probability)
		quoted("tension", x.A.Path, x.A.Line, x.A.Text)
		quoted("tension", x.B.Path, x.B.Line, x.B.Text)
	}
	for _, x := range g.Conflicts {
		quoted("conflict", x.A.Ref.Path, x.A.Line, x.A.Text)
		quoted("conflict", x.B.Ref.Path, x.B.Line, x.B.Text)
	}
	for _, c := range g.Claims {
		probable("claim", c.Confidence)
		quoted("claim", path(c.EvidenceID), c.Line, c.Text)
	}
	for _, e := range g.Edges {
		probable("edge", e.Confidence)
		quoted("edge", path(e.To), e.EvidenceLine, "")
	}
	for _, x := range g.Gaps {
		if len(x.Missing) == 0 {
			t.Errorf("a gap of nothing: %+v", x)
		}
	}
	for _, e := range g.Evidences {
		if math.IsNaN(e.Score) {
			t.Errorf("score of %s", e.ID)
		}
	}
}

// unspaced removes spaces and invalid UTF-8, as judgements do.
func unspaced(s string) string {
	return strings.Map(func(c rune) rune {
		if unicode.IsSpace(c) {
			return -1
		}
		return c
	}, strings.ToValidUTF8(s, ""))
}
