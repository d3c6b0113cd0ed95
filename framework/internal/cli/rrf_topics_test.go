package cli

import (
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/sagasu-search/sagasu/framework/internal/patents/lane"
	"github.com/sagasu-search/sagasu/framework/internal/patents/publication"
	"github.com/sagasu-search/sagasu/framework/internal/patents/rankfusion"
)

var rawClass = regexp.MustCompile(`^([A-H][0-9]{2}[A-Z])([0-9]{1,2}?)([0-9]{2,3})(?:FI)?$`)

// mainGroup returns the group of an application's first class, which the file writes without spaces: the shortest
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

// topics are those of the publications whose group has others.
func topics(pubs []*publication.Publication) (out []topic) {
	groups := map[string][]string{}
	for _, p := range pubs {
		groups[mainGroup(p)] = append(groups[mainGroup(p)], p.PubID)
	}
	for _, p := range pubs {
		t := topic{p, map[string]bool{}}
		for _, id := range groups[mainGroup(p)] {
			t.sought[id] = true
		}
		delete(t.sought, p.PubID)
		if len(t.sought) >= 1 && len(p.Abst) > 40 {
			out = append(out, t)
		}
	}
	return out
}

// wording is a way to ask for what a publication is about.
type wording struct {
	name string
	ask  func(p *publication.Publication) (query, text string)
	// own leaves the publication that asks out of both lanes, and not only of what is counted.
	own bool
	// weak is a query that alone finds far less than the text: its lane pulls the fusion below the other, which the
	// test tells and does not bar.
	weak bool
}

func wordings(pubs []*publication.Publication) []wording {
	texts := map[string]int{}
	for _, p := range pubs {
		for _, w := range wordsOf(p.Title+" "+p.Abst+" "+p.Claim+" "+p.Desc, 1) {
			texts[w]++
		}
	}
	whole := func(query func(abst string) string) func(*publication.Publication) (string, string) {
		return func(p *publication.Publication) (string, string) { return query(p.Abst), p.Abst }
	}
	rare := func(abst string) string {
		all := wordsOf(abst, 3)
		slices.SortStableFunc(all, func(a, b string) int { return texts[a] - texts[b] })
		return strings.Join(all[:min(len(all), 15)], " OR ")
	}
	return []wording{
		{name: "content words", ask: whole(anyOf)},
		{name: "content words, own left out", ask: whole(anyOf), own: true},
		{name: "every word", ask: whole(func(abst string) string { return strings.Join(wordsOf(abst, 1), " OR ") }), own: true},
		{name: "first 30 long words", own: true, ask: whole(func(abst string) string {
			all := wordsOf(abst, 4)
			return strings.Join(all[:min(len(all), 30)], " OR ")
		})},
		{name: "first sentence", own: true, ask: func(p *publication.Publication) (string, string) {
			first, _, _ := strings.Cut(p.Abst, ". ")
			return anyOf(first), first
		}},
		{name: "title and abstract", own: true, ask: func(p *publication.Publication) (string, string) {
			return anyOf(p.Title + " " + p.Abst), p.Title + ". " + p.Abst
		}},
		{name: "title", own: true, ask: func(p *publication.Publication) (string, string) { return anyOf(p.Title), p.Title }},
		{name: "15 rarest words", ask: whole(rare), own: true, weak: true},
	}
}

// wordsOf are those of a text with at least so many letters, each once.
func wordsOf(s string, letters int) (out []string) {
	for w := range strings.FieldsFuncSeq(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) }) {
		if len(w) >= letters && !slices.Contains([]string{"and", "or", "not"}, w) && !slices.Contains(out, w) {
			out = append(out, w)
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

// bestDepth returns the k of a grid with the best F1.
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
	all := topics(pubs)
	for _, w := range wordings(pubs) {
		t.Run(w.name, func(t *testing.T) {
			var precision [3]float64
			n, near, hundred, matches := 0.0, 0.0, 0, 0
			for _, topic := range all {
				lists, fused, hits, ok := w.search(t, e, topic.own)
				if !ok {
					continue
				}
				for i, docs := range lists {
					precision[i] += topic.precision(docs)
				}
				told := deepest(fused.Frontier)
				truth := topic.bestDepth(lists[2], rankfusion.DefaultGrid())
				if ratio := float64(told) / float64(truth); ratio >= 0.5 && ratio <= 2 {
					near++
				}
				if told == 100 {
					hundred++
				}
				n, matches = n+1, matches+hits
			}
			t.Logf("P@10 fulltext %.3f, semantic %.3f, fused %.3f; semantic matches %.0f; frontier within a factor of 2 on %.2f, 100 on %.2f (%.0f topics)",
				precision[0]/n, precision[1]/n, precision[2]/n, float64(matches)/n, near/n, float64(hundred)/n, n)
			if best := max(precision[0], precision[1]) / n; precision[2]/n < best-0.01 && !w.weak {
				t.Errorf("fused P@10 %.3f, of the best lane %.3f", precision[2]/n, best)
			}
			if math.IsNaN(near/n) || near/n < 0.6 {
				t.Errorf("the frontier is within a factor of 2 on %.2f of the topics", near/n)
			}
		})
	}
}

// search returns what both lanes and their fusion find, and how much matches in the semantic one; a publication whose
// words are all common ones asks nothing.
func (w wording) search(t *testing.T, e *lane.Engine, own *publication.Publication) (lists [3][]string, fused *lane.Result, hits int, ok bool) {
	t.Helper()
	var o lane.Options
	if w.own {
		o.Filters = lane.Filters(fmt.Sprintf(`[{"lop":"not","field":"pub_id","op":"=","value":%q}]`, own.PubID))
	}
	query, text := w.ask(own)
	if query == "" {
		return lists, nil, 0, false
	}
	req := lane.BlendRequest{Limit: 1000}
	for i, ask := range []lane.Ask{{Lane: lane.Fulltext, Query: query, Options: o}, {Lane: lane.Semantic, Text: text, Options: o}} {
		h, err := e.Search(t.Context(), ask)
		if err != nil {
			t.Fatal(err)
		}
		run, err := e.Run(t.Context(), h.RunID)
		if err != nil {
			t.Fatal(err)
		}
		lists[i], hits = run.Docs, h.HitCount
		req.Runs = append(req.Runs, lane.BlendRun{RunID: h.RunID, Weight: 1})
	}
	fused, err := e.Blend(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range fused.RankedDocs {
		lists[2] = append(lists[2], d.PubID)
	}
	return lists, fused, hits, true
}
