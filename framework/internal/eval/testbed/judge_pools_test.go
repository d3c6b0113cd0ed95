//go:build fit

package testbed

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/sagasu-search/sagasu/framework/internal/eval"
	"github.com/sagasu-search/sagasu/framework/internal/judge/answer"
	"github.com/sagasu-search/sagasu/framework/internal/judge/section"
	"github.com/sagasu-search/sagasu/framework/internal/search"
	"github.com/sagasu-search/sagasu/sdk/lexical"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

var (
	poolsDir = flag.String("pools", "", "TestPools: write what the judgement is fitted on to this folder")
	evalDir  = flag.String("evaldata", "", "TestPools: the folder of the evaluation data")
)

// poolSets are the sets with queries, the maximum number of queries from each, and the sets whose queries are also
// asked although they have no answer there.
var poolSets = []struct {
	name    string
	most    int
	foreign []string
}{
	{"ja_jsquad", 800, []string{"scale_ja"}},
	{"ja_jaquad", 800, []string{"ja_jsquad"}},
	{"scale_ja", 400, []string{"ja_jsquad"}},
	{"en_doc2dial", 226, []string{"en_anthropic_docs", "en_scifact"}},
	{"en_anthropic_docs", 34, []string{"en_doc2dial", "en_scifact"}},
	{"en_scifact", 100, []string{"en_doc2dial"}},
	{"en_wiki", 800, []string{"en_covid", "en_doc2dial"}},
	{"en_covid", 400, []string{"en_wiki", "en_scifact"}},
}

// mostForeign is the number of queries from another set.
const mostForeign = 120

// TestPools searches the evaluation sets and writes, for each query, what the judgement would read.
func TestPools(t *testing.T) {
	if *poolsDir == "" || *evalDir == "" {
		t.Skip("only with -pools and -evaldata")
	}
	for _, set := range poolSets {
		t.Run(set.name, func(t *testing.T) {
			dir := filepath.Join(*evalDir, set.name)
			if _, err := os.Stat(dir); err != nil {
				t.Skip(err)
			}
			b := localTestbed(t, filepath.Join(dir, "corpus"))
			searchBy(t, b, usual(t, b), false)
			f, err := os.Create(filepath.Join(*poolsDir, set.name+".jsonl"))
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			out := json.NewEncoder(f)
			write := func(queries []rawQuery, most int, foreign string) {
				step := max(1, len(queries)/most)
				if step%2 == 0 { // both halves are sampled
					step++
				}
				for i := 0; i < len(queries) && i/step < most; i += step {
					p := b.pool(t, queries[i])
					p.Set, p.Foreign, p.Odd = set.name, foreign, i%2 == 1
					if foreign != "" {
						p.Answers, p.Relevant, p.Known = nil, nil, 0
					}
					if err := out.Encode(p); err != nil {
						t.Fatal(err)
					}
				}
			}
			write(rawQueries(t, filepath.Join(dir, "queries.jsonl")), set.most, "")
			for _, name := range set.foreign {
				write(rawQueries(t, filepath.Join(*evalDir, name, "queries.jsonl")), mostForeign, name)
			}
			none := rawQueries(t, filepath.Join(repository(t), "framework", "internal", "judge", "answer", "testdata", "unanswerable.jsonl"))
			write(slices.DeleteFunc(none, func(q rawQuery) bool { return q.Set != set.name }), len(none), "none")
		})
	}
}

// TestCasePools does the same for the judged cases, including those of the repository.
func TestCasePools(t *testing.T) {
	if *poolsDir == "" || *evalDir == "" {
		t.Skip("only with -pools and -evaldata")
	}
	judged := filepath.Join(*evalDir, "judge")
	for set, path := range map[string]string{
		"judge_ja": filepath.Join(judged, "ja.jsonl"), "judge_en": filepath.Join(judged, "en.jsonl"),
		"own": filepath.Join(repository(t), "testdata", "judge", "cases.jsonl"),
	} {
		all, err := eval.ReadCaseFile(path)
		if errors.Is(err, fs.ErrNotExist) {
			t.Skip(err)
		}
		if err != nil {
			t.Fatal(err)
		}
		f, err := os.Create(filepath.Join(*poolsDir, set+".jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		out := json.NewEncoder(f)
		for _, c := range all {
			p := judgedPool{Set: set, ID: c.ID, Kind: c.Kind, Gaps: c.Gaps}
			p.Query, p.Evidences = c.Query, c.Evidences
			p.WithoutIndex()
			if err := out.Encode(p); err != nil {
				t.Fatal(err)
			}
		}
	}
}

type rawQuery struct {
	ID       string        `json:"id"`
	Set      string        `json:"set"`
	Query    string        `json:"query"`
	Manual   string        `json:"scope_manual_id"`
	Answers  []string      `json:"answers"`
	Relevant []eval.Target `json:"relevant"`
}

func rawQueries(t *testing.T, path string) (out []rawQuery) {
	f, err := os.Open(path)
	if err != nil {
		t.Skip(err)
	}
	defer f.Close()
	for in := bufio.NewScanner(f); in.Scan(); {
		var q rawQuery
		if err := json.Unmarshal(in.Bytes(), &q); err != nil {
			t.Fatal(err)
		}
		out = append(out, q)
	}
	return out
}

// judgedPool is what the judgement would read for a query, and what is known about it.
type judgedPool struct {
	Set, ID, Foreign, Status string
	Kind                     string   // of a judged case
	Gaps                     []string // that a judged case expects
	Odd                      bool
	Answers                  []string       // texts of which a right answer contains one
	Relevant                 []int          // indexes of evidences
	Known                    int            // number of relevant sections
	In                       map[string]int // number of sections with each term of the query
	answer.Input
}

// pool searches everything, as a client does that names no manual.
func (b *Testbed) pool(t *testing.T, q rawQuery) *judgedPool {
	snap, ctx := b.view.Snapshot, t.Context()
	found, err := b.newest.Find(ctx, search.Request{Query: q.Query, ExpandScope: true, MaxCandidates: depth, TimeMS: 600_000})
	if err != nil {
		t.Fatal(err)
	}
	hits, err := b.newest.Hits(ctx, search.HitsRequest{TraceID: found.TraceID, Kind: "candidates", Limit: 50, Explain: true})
	if err != nil {
		t.Fatal(err)
	}
	p := &judgedPool{ID: q.ID, Answers: q.Answers, Known: len(q.Relevant), Status: found.Summary.IntegrationStatus, In: map[string]int{}}
	p.Matched = found.Summary.Matched
	p.Query = search.Plan(q.Query, b.settings.MatchThreshold)
	n := int(snap.Live().GetCardinality())
	p.Words = answer.Weigh(&p.Query, n, snap.DocFreq)
	held := map[string]bool{}
	for i, row := range hits.Items {
		for _, term := range row.Terms {
			held[term] = true
		}
		if i >= 20 {
			continue
		}
		at := target(row, hits.ManualID)
		e := section.Section{ManualID: at.ManualID, Path: at.Path, StartLine: at.StartLine, Score: *row.Score}
		id, _ := search.Locate(snap, at.ManualID, at.Path, at.StartLine)
		e.Heading = snap.Source(id, snapshot.FieldHeading)
		body := snap.Source(id, snapshot.FieldBody)
		e.Text = body[:min(len(body), 6000)]
		p.Evidences = append(p.Evidences, e)
		for _, r := range q.Relevant {
			if r.Is(at) {
				p.Relevant = append(p.Relevant, i)
			}
		}
	}
	for term := range held {
		p.Held = append(p.Held, term)
	}
	for _, term := range p.Query.Terms {
		p.In[term.Text] = holding(ctx, snap, term.Text)
	}
	return p
}

func holding(ctx context.Context, snap *snapshot.Snapshot, s string) int {
	return int(lexical.ContainingLoose(ctx, snap, s).GetCardinality())
}
