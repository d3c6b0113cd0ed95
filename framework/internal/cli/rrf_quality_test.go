package cli

import (
	"context"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/host"
	"github.com/sagasu-search/sagasu/framework/internal/index"
	"github.com/sagasu-search/sagasu/framework/internal/patents/lane"
	"github.com/sagasu-search/sagasu/framework/internal/patents/publication"
	"github.com/sagasu-search/sagasu/framework/internal/store"
	"github.com/sagasu-search/sagasu/plugins/fulltext"
	"github.com/sagasu-search/sagasu/plugins/semantic"
	"github.com/sagasu-search/sagasu/sdk/text"
)

// sharedPatents are US applications.
func sharedPatents(t *testing.T) []*publication.Publication {
	t.Helper()
	shared := os.Getenv("SAGASU_SHARED")
	if shared == "" {
		t.Skip("SAGASU_SHARED names no folder with patents")
	}
	f, err := os.Open(filepath.Join(shared, "eval", "patents", "uspto640.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out []*publication.Publication
	in := publication.NewReader(f)
	for p, err := in.Next(); err == nil; p, err = in.Next() {
		out = append(out, p)
	}
	if len(out) < 600 {
		t.Fatalf("%d patents", len(out))
	}
	return out
}

// laneEngine searches publications with the lanes linked in.
func laneEngine(t *testing.T, pubs []*publication.Publication) *lane.Engine {
	t.Helper()
	dir := t.TempDir()
	var all []byte
	for _, p := range pubs {
		raw, err := p.Encode()
		if err != nil {
			t.Fatal(err)
		}
		all = append(append(all, raw...), '\n')
	}
	if err := os.WriteFile(filepath.Join(dir, "patents.jsonl"), all, 0o600); err != nil {
		t.Fatal(err)
	}
	x, err := index.Open(index.Options{Dir: t.TempDir(), Source: publication.Source{}, Manuals: func(context.Context) ([]corpus.Manual, error) {
		return []corpus.Manual{{ID: "publications", Dir: dir}}, nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { x.Close() })
	runs := lane.OpenRuns(store.In(t.TempDir()))
	lanes := host.InProcess(fulltext.New(), semantic.New())
	t.Cleanup(func() { lanes.Close() })
	view := func(ctx context.Context) (index.View, error) { return x.View(ctx, time.Minute) }
	return lane.NewEngine(runs, lane.NewCollection(view), lanes)
}

// anyOf returns a query for any of a text's content words.
func anyOf(s string) string {
	var words []string
	for word := range strings.FieldsFuncSeq(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) }) {
		operator := word == "and" || word == "or" || word == "not"
		if len(word) > 2 && !operator && !text.EnglishStop(word) && !slices.Contains(words, word) && len(words) < 60 {
			words = append(words, word)
		}
	}
	return strings.Join(words, " OR ")
}

// gain is nDCG@10 where only one publication is right, and of those of its subclass.
func gain(docs []string, own string, kin map[string]bool) (ndcg, kinship float64) {
	ideal := 0.0
	for i, id := range docs[:min(len(docs), 11)] {
		if id == own && i < 10 {
			ndcg = 1 / math.Log2(float64(i)+2)
		}
		if kin[id] && i < 10 {
			kinship += 1 / math.Log2(float64(i)+2)
		}
	}
	for i := range min(len(kin), 10) {
		ideal += 1 / math.Log2(float64(i)+2)
	}
	if ideal > 0 {
		kinship /= ideal
	}
	return ndcg, kinship
}

// One part of a publication searches all others' rest and its own, by lane and fused:
// fusing must not find less than the worse lane, and is told beside both.
func TestFusedPatents(t *testing.T) {
	pubs := sharedPatents(t)
	for _, part := range []string{"abstract", "first claim"} {
		var queries []string
		rest := make([]*publication.Publication, len(pubs))
		for i, p := range pubs {
			cut := *p
			if part == "abstract" {
				queries, cut.Abst = append(queries, p.Abst), ""
			} else {
				first, _, _ := strings.Cut(p.Claim, "\n")
				queries, cut.Claim = append(queries, first), ""
			}
			rest[i] = &cut
		}
		e := laneEngine(t, rest)
		var own, kin [3]float64
		n := 0.0
		for i := 0; i < len(pubs); i += 5 {
			if len(queries[i]) < 40 {
				continue
			}
			n++
			for l, docs := range rankings(t, e, queries[i]) {
				a, b := gain(docs, pubs[i].PubID, kinOf(pubs, i))
				own[l], kin[l] = own[l]+a, kin[l]+b
			}
		}
		for l, name := range []string{"fulltext", "semantic", "fused"} {
			t.Logf("%-11s by %-8s nDCG@10 own %.3f, subclass %.3f (%.0f queries)", part, name, own[l]/n, kin[l]/n, n)
		}
		if own[2] < min(own[0], own[1]) || kin[2] < min(kin[0], kin[1]) {
			t.Errorf("%s: fused, less is found than by either lane", part)
		}
	}
}

// rankings are those of the lanes and of their fusion.
func rankings(t *testing.T, e *lane.Engine, query string) [3][]string {
	t.Helper()
	var out [3][]string
	req := lane.BlendRequest{Limit: 20}
	top := 100
	for i, ask := range []lane.Ask{{Lane: lane.Fulltext, Query: anyOf(query), Options: lane.Options{TopK: &top}}, {Lane: lane.Semantic, Text: query, Options: lane.Options{TopK: &top}}} {
		h, err := e.Search(t.Context(), ask)
		if err != nil {
			raw, _ := json.Marshal(ask)
			t.Fatal(string(raw), err)
		}
		run, err := e.Run(t.Context(), h.RunID)
		if err != nil {
			t.Fatal(err)
		}
		out[i] = run.Docs
		req.Runs = append(req.Runs, lane.BlendRun{RunID: h.RunID, Weight: 1})
	}
	fused, err := e.Blend(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range fused.RankedDocs {
		out[2] = append(out[2], d.PubID)
	}
	return out
}

// kinOf returns the publications of the same subclass.
func kinOf(pubs []*publication.Publication, i int) map[string]bool {
	kin := map[string]bool{}
	for _, p := range pubs {
		if p != pubs[i] && subclass(p) != "" && subclass(p) == subclass(pubs[i]) {
			kin[p.PubID] = true
		}
	}
	return kin
}

// subclass returns what the file tells of an application's first class.
func subclass(p *publication.Publication) string {
	var name string
	if json.Unmarshal(p.Metadata["subclass"], &name) != nil {
		return ""
	}
	return name
}
