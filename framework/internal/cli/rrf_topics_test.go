package cli

import (
	"encoding/json"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/sagasu-search/sagasu/framework/internal/patents/lane"
	"github.com/sagasu-search/sagasu/framework/internal/patents/publication"
	"github.com/sagasu-search/sagasu/framework/internal/patents/rankfusion"
)

var rawClass = regexp.MustCompile(`^([A-H][0-9]{2}[A-Z])([0-9]{1,2}?)([0-9]{2,3})(?:FI)?$`)

// mainGroup is the group of an application's first class, which the file writes without spaces: the shortest
// odd one of two digits, or of one where the rest would have but one digit.
func mainGroup(p *publication.Publication) string {
	var raw string
	if json.Unmarshal(p.Metadata["class_raw"], &raw) != nil {
		return ""
	}
	m := rawClass.FindStringSubmatch(raw)
	if m == nil {
		return ""
	}
	digits := m[2] + m[3]
	n := 1
	if len(digits) > 3 && !strings.HasPrefix(raw, "B60D") {
		n = 2
	}
	return m[1] + digits[:n]
}

// topic is a search from an abstract, with the publications of its main group as what is sought.
type topic struct {
	own    *publication.Publication
	sought map[string]bool
}

// topics are those of n publications whose group has others.
func topics(pubs []*publication.Publication, n int) (out []topic) {
	groups := map[string][]string{}
	for _, p := range pubs {
		groups[mainGroup(p)] = append(groups[mainGroup(p)], p.PubID)
	}
	step := len(pubs) / n
	for i := 0; i < len(pubs) && len(out) < n; i += step {
		p := pubs[i]
		t := topic{p, map[string]bool{}}
		for _, id := range groups[mainGroup(p)] {
			t.sought[id] = id != p.PubID
		}
		delete(t.sought, p.PubID)
		if len(t.sought) >= 1 && len(p.Abst) > 40 {
			out = append(out, t)
		}
	}
	return out
}

// precision is that of the best 10, the publication that asks left out.
func (t topic) precision(docs []string) (p float64) {
	docs = slices.DeleteFunc(slices.Clone(docs), func(id string) bool { return id == t.own.PubID })
	for _, id := range docs[:min(len(docs), 10)] {
		if t.sought[id] {
			p += 0.1
		}
	}
	return p
}

// bestDepth is the k of a grid with the best F1.
func (t topic) bestDepth(docs []string, grid []int) (best int) {
	most, found, at := 0.0, 0.0, 0
	for _, k := range grid {
		for ; at < min(k, len(docs)); at++ {
			if t.sought[docs[at]] {
				found++
			}
		}
		if f := 2 * found / (float64(min(k, len(docs))) + float64(len(t.sought))); f > most {
			most, best = f, k
		}
	}
	return best
}

// A fusion is no worse than the better of its lanes, and its frontier knows about how deep to read.
func TestTopicsOfPatents(t *testing.T) {
	pubs := sharedPatents(t)
	e := laneEngine(t, pubs)
	var precision [3]float64
	n, near, hundred, matches := 0.0, 0.0, 0, 0
	for _, topic := range topics(pubs, 100) {
		text := topic.own.Abst
		req := lane.BlendRequest{Limit: 1000}
		var lists [3][]string
		for i, ask := range []lane.Ask{{Lane: lane.Fulltext, Query: anyOf(text)}, {Lane: lane.Semantic, Text: text}} {
			h, err := e.Search(t.Context(), ask)
			if err != nil {
				t.Fatal(err)
			}
			run, err := e.Run(t.Context(), h.RunID)
			if err != nil {
				t.Fatal(err)
			}
			lists[i] = run.Docs
			if i == 1 {
				matches += h.HitCount
			}
			req.Runs = append(req.Runs, lane.BlendRun{RunID: h.RunID, Weight: 1})
		}
		fused, err := e.Blend(t.Context(), req)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range fused.RankedDocs {
			lists[2] = append(lists[2], d.PubID)
		}
		for i, docs := range lists {
			precision[i] += topic.precision(docs)
		}
		told, most := 0, -1.0
		for _, p := range fused.Frontier {
			if p.F != nil && *p.F > most {
				told, most = p.K, *p.F
			}
		}
		truth := topic.bestDepth(lists[2], rankfusion.DefaultGrid())
		if ratio := float64(told) / float64(truth); ratio >= 0.5 && ratio <= 2 {
			near++
		}
		if told == 100 {
			hundred++
		}
		n++
	}
	t.Logf("P@10 fulltext %.3f, semantic %.3f, fused %.3f; semantic matches %.0f; frontier within a factor of 2 on %.2f, 100 on %d (%.0f topics)",
		precision[0]/n, precision[1]/n, precision[2]/n, float64(matches)/n, near/n, hundred, n)
	if best := max(precision[0], precision[1]) / n; precision[2]/n < best-0.01 {
		t.Errorf("fused P@10 %.3f, of the best lane %.3f", precision[2]/n, best)
	}
	if math.IsNaN(near/n) || near/n < 0.6 {
		t.Errorf("the frontier is within a factor of 2 on %.2f of the topics", near/n)
	}
}
