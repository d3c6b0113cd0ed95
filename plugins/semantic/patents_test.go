package semantic

import (
	"bufio"
	"context"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/lexical"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// patent is a line of the file of US applications. It names a subclass of the classification but no citations.
type patent struct {
	PubID    string `json:"pub_id"`
	Title    string `json:"title"`
	Abst     string `json:"abst"`
	Claim    string `json:"claim"`
	Desc     string `json:"desc"`
	Subclass string `json:"subclass"`
}

func readPatents(t *testing.T) []patent {
	t.Helper()
	shared := os.Getenv("SAGASU_SHARED")
	if shared == "" {
		t.Skip("SAGASU_SHARED names no evaluation data")
	}
	f, err := os.Open(filepath.Join(shared, "eval", "patents", "uspto640.jsonl"))
	if err != nil {
		t.Skip("no patents among the evaluation data:", err)
	}
	defer f.Close()
	var out []patent
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		var p patent
		if err := json.Unmarshal(lines.Bytes(), &p); err != nil {
			t.Fatal(err)
		}
		out = append(out, p)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}

// task makes queries from one part of the patents, which search the other parts.
type task struct {
	name   string
	query  func(p *patent) string
	fields func(p *patent) []string
}

var tasks = []task{
	{"abstract", func(p *patent) string { return p.Abst },
		func(p *patent) []string { return []string{p.Title, "", p.Claim, p.Desc} }},
	{"first claim", func(p *patent) string { first, _, _ := strings.Cut(p.Claim, "\n2 "); return first },
		func(p *patent) []string { return []string{p.Title, p.Abst, "", p.Desc} }},
}

// lane returns the best sections for a text.
type lane func(ctx context.Context, snap *snapshot.Snapshot, text string) ([]uint32, error)

// gains are sums of nDCG@10 over the queries of a half: for the patent that the query was made from, and, without it,
// for the other patents of its subclass.
type gains struct{ own, subclass, queries float64 }

func (g *gains) add(patents []patent, of int, ranked []uint32) {
	g.queries++
	var kin []float64
	for rank, id := range ranked {
		switch {
		case int(id) == of && rank < 10:
			g.own += 1 / math.Log2(float64(rank+2))
		case int(id) != of && patents[id].Subclass == patents[of].Subclass:
			kin = append(kin, 1)
		case int(id) != of:
			kin = append(kin, 0)
		}
	}
	relatives := -1
	for i := range patents {
		if patents[i].Subclass == patents[of].Subclass {
			relatives++
		}
	}
	var got, ideal float64
	for i := range 10 {
		weight := 1 / math.Log2(float64(i+2))
		if i < len(kin) {
			got += weight * kin[i]
		}
		if i < relatives {
			ideal += weight
		}
	}
	if ideal > 0 {
		g.subclass += got / ideal
	}
}

func bm25(k1 float64) lane {
	return func(ctx context.Context, snap *snapshot.Snapshot, text string) ([]uint32, error) {
		q := sdk.Query{Text: text}
		bag := lexical.NewBag(snap, &q, lexical.Weights{Word: 1, Exact: 0.2, Whole: 0.5, Unigram: 0.5, Bigram: 1})
		p := lexical.Params{K1: k1, B: []float64{0.5, 0.75, 0.75, 0.75}, Weight: []float64{4, 2, 1, 1}}
		var out []uint32
		for _, h := range lexical.Search(ctx, snap, nil, bag.Query, p, 20).Hits {
			out = append(out, h.Section)
		}
		return out, nil
	}
}

func bySemantics(s *Strategy) lane {
	return func(ctx context.Context, snap *snapshot.Snapshot, text string) ([]uint32, error) {
		r, err := s.Search(ctx, &sdk.Request{Corpus: snap, Query: sdk.Query{Text: text}, Limit: 20})
		if err != nil {
			return nil, err
		}
		var out []uint32
		for _, c := range r.Candidates {
			out = append(out, c.Section)
		}
		return out, nil
	}
}

// TestPatents prints how well parts of patents find their other parts and related patents, on the half of the queries
// that was used to choose the parameters and on the other half. It fails if the lane is no better than word search at
// its purpose: finding related patents.
func TestPatents(t *testing.T) {
	patents := readPatents(t)
	for _, task := range tasks {
		rows := make([]row, len(patents))
		for i := range patents {
			rows[i] = row{patents[i].PubID, task.fields(&patents[i])}
		}
		snap := publish(t, 1, rows)
		s := New()
		t.Cleanup(func() { s.Close() })
		lanes := map[string]lane{"BM25, k1 1.2": bm25(1.2), "BM25, k1 4": bm25(4), "semantic": bySemantics(s)}
		kin := map[string]float64{}
		for _, name := range []string{"BM25, k1 1.2", "BM25, k1 4", "semantic"} {
			halves := measure(t, patents, task, snap, lanes[name])
			for i, h := range halves {
				t.Logf("%-11s %-12s half %d, %.0f queries: own patent %.3f, its subclass %.3f (nDCG@10)",
					task.name, name, i+1, h.queries, h.own/h.queries, h.subclass/h.queries)
			}
			kin[name] = halves[1].subclass
		}
		if kin["semantic"] < kin["BM25, k1 4"] {
			t.Errorf("%s: the lane finds fewer of the kin than words do: %v", task.name, kin)
		}
	}
}

func measure(t *testing.T, patents []patent, task task, snap *snapshot.Snapshot, search lane) (halves [2]gains) {
	t.Helper()
	for i := range patents {
		text := task.query(&patents[i])
		if len(text) < 40 {
			continue // only "canceled"
		}
		ranked, err := search(t.Context(), snap, text)
		if err != nil {
			t.Fatal(err)
		}
		halves[i%2].add(patents, i, ranked)
	}
	return halves
}
