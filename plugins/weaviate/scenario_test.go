package weaviate

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/plugins/weaviate/testdata/cluster"
	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/lexical"
	"github.com/sagasu-search/sagasu/sdk/sdktest"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// engines runs a test with the fake and with a node of the real engine.
func engines(t *testing.T, test func(t *testing.T, host string)) {
	t.Run("fake", func(t *testing.T) {
		test(t, strings.TrimPrefix(newFake(t).URL, "http://"))
	})
	t.Run("real", func(t *testing.T) {
		test(t, cluster.Start(t, 1).Nodes[0].Host)
	})
}

// manual returns a corpus of two manuals with files in folders. change may modify it.
func manual(t *testing.T, change func(sections []sdktest.Section) []sdktest.Section) *snapshot.Snapshot {
	t.Helper()
	var all []sdktest.Section
	for _, group := range []string{"a", "b"} {
		for _, path := range []string{"guide/deep/raid.md", "guide/start.md", "出荷.md"} {
			for i := range 40 {
				all = append(all, sdktest.Section{
					Manual: group, Path: path, Line: 1 + 10*i, Heading: fmt.Sprintf("Volume %d", i%7),
					Body: fmt.Sprintf("The RAID controller number%d of manual%s.\n\"quoted\" \\ 保証は第%d条 %% fooBar", i, group, i),
				})
			}
		}
	}
	if change != nil {
		all = change(all)
	}
	return sdktest.Snapshot(t, all...)
}

func uploaded(t *testing.T, url string, corpus *snapshot.Snapshot, stored ...sdk.StoredField) *sdk.Uploaded {
	t.Helper()
	grace := time.Duration(0)
	if os.Getenv(cluster.Binary) != "" {
		grace = 2 * fresh
	}
	out, err := fill(t.Context(), sdk.Upload{
		To: url, Corpus: corpus, Stored: stored, Progress: func(string, int, int) {},
	}, grace)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func gatherer(t *testing.T, url string) *Strategy {
	t.Helper()
	s := New()
	if err := s.Configure(t.Context(), fmt.Appendf(nil, `{"url":%q}`, url)); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	s.collection.fresh = 0
	return s
}

func gather(t *testing.T, s *Strategy, req sdk.GatherRequest) *sdk.Gathered {
	t.Helper()
	req.Kind = snapshot.KindManual
	req.Limit = max(req.Limit, 1)
	out, err := s.Gather(t.Context(), &req)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// terms returns dictionary terms of equal weight.
func terms(words ...string) (out []sdk.GatherTerm) {
	for i, w := range words {
		out = append(out, sdk.GatherTerm{Text: w, Weight: 1, Slot: i})
	}
	return out
}

// place returns the place of a section.
func place(s sdk.GatheredSection) string {
	return fmt.Sprintf("%s/%s#%d", s.Section.Group, s.Section.Path, s.Section.Start)
}

func placesOf(sections []sdk.GatheredSection) (out []string) {
	for _, s := range sections {
		out = append(out, place(s))
	}
	return out
}

func TestGatherWhatWasUploaded(t *testing.T) {
	engines(t, func(t *testing.T, host string) {
		corpus := manual(t, nil)
		url := "weaviate://" + host + "/docs"
		up := uploaded(t, url, corpus)
		if up.Sections != 240 || up.Sent != 240 || up.Deleted != 0 {
			t.Errorf("uploaded %+v", up)
		}
		s := gatherer(t, url)

		t.Run("best first", func(t *testing.T) {
			got := gather(t, s, sdk.GatherRequest{Terms: terms("raid", "number7", "manuala", "nowhere"), Limit: 1000})
			if len(got.Sections) != 240 || !got.Exact || got.Total != 240 || got.Cursor != "" || got.Answered != got.Expected {
				t.Errorf("%d sections, %+v", len(got.Sections), got)
			}
			if best := placesOf(got.Sections[:3]); !slices.ContainsFunc(best, func(p string) bool { return p == "a/出荷.md#71" }) {
				t.Errorf("best are %v", best)
			}
			want := snapshot.Statistics{Sections: 240, DocFreqs: map[string]int{}}
			for f := range corpus.Fields() {
				want.Lengths = append(want.Lengths, corpus.AvgLen(f))
			}
			for _, w := range []string{"raid", "number7", "manuala", "nowhere"} {
				want.DocFreqs[w] = corpus.DocFreq(w)
			}
			if diff := cmp.Diff(want, got.Statistics); diff != "" {
				t.Error(diff)
			}
			keys := map[string]bool{}
			for i, x := range got.Sections {
				if keys[x.Key] = true; i > 0 && x.Score > got.Sections[i-1].Score {
					t.Errorf("section %d scores %v behind %v", i, x.Score, got.Sections[i-1].Score)
				}
			}
			if len(keys) != 240 {
				t.Errorf("%d keys", len(keys))
			}
		})
		t.Run("as they were", func(t *testing.T) {
			got := gather(t, s, sdk.GatherRequest{Terms: terms("number7"), Limit: 1000})
			for _, x := range got.Sections {
				for it := corpus.Live().Iterator(); it.HasNext(); {
					id := it.Next()
					sec, _ := corpus.Section(id)
					if sec.Group != x.Section.Group || sec.Path != x.Section.Path || sec.Start != x.Section.Start {
						continue
					}
					sec.ID, sec.Parent = 0, 0
					want := sdk.GatheredSection{Key: x.Key, Score: x.Score, Section: sec}
					for f := range corpus.Fields() {
						want.Fields = append(want.Fields, corpus.Source(id, f))
					}
					if diff := cmp.Diff(want, x); diff != "" {
						t.Error(diff)
					}
				}
			}
		})
		t.Run("a term of several letters and marks", func(t *testing.T) {
			for _, word := range []string{"保証", "foobar", "\x01volumes", "%"} {
				got := gather(t, s, sdk.GatherRequest{Terms: terms(word), Limit: 1000})
				if want := corpus.DocFreq(word); len(got.Sections) != want || got.Statistics.DocFreqs[word] != want {
					t.Errorf("%q: %d sections, %d counted, want %d", word, len(got.Sections), got.Statistics.DocFreqs[word], want)
				}
			}
		})
		t.Run("filters", func(t *testing.T) {
			for name, c := range map[string]struct {
				filter sdk.GatherFilter
				want   int
			}{
				"group":   {sdk.GatherFilter{Groups: []string{"a"}}, 120},
				"groups":  {sdk.GatherFilter{Groups: []string{"a", "b", "c"}}, 240},
				"file":    {sdk.GatherFilter{Path: "guide/start.md"}, 80},
				"folder":  {sdk.GatherFilter{Path: "guide/"}, 160},
				"both":    {sdk.GatherFilter{Groups: []string{"b"}, Path: "出荷.md"}, 40},
				"keyword": {sdk.GatherFilter{Keywords: [][]string{{"group:a", "x"}, {"file:a/guide/start.md"}}}, 40},
				"none":    {sdk.GatherFilter{Path: "guide"}, 0},
			} {
				for _, words := range [][]string{nil, {"raid"}} {
					got := gather(t, s, sdk.GatherRequest{Terms: terms(words...), Filter: c.filter, Limit: 1000})
					if len(got.Sections) != c.want || got.Total != c.want || !got.Exact {
						t.Errorf("%s, %v: %d sections of %d, want %d", name, words, len(got.Sections), got.Total, c.want)
					}
				}
			}
		})
		t.Run("page by page", func(t *testing.T) {
			for _, words := range [][]string{nil, {"raid", "number3"}} {
				req := sdk.GatherRequest{Terms: terms(words...), Filter: sdk.GatherFilter{Path: "guide/"}, Limit: 33}
				var all []string
				for {
					got := gather(t, s, req)
					all = append(all, placesOf(got.Sections)...)
					if req.Cursor, req.Generation = got.Cursor, got.Generation; req.Cursor == "" {
						break
					}
					if got.Exact {
						t.Error("exact, and there is more")
					}
				}
				if distinct := slices.Compact(slices.Sorted(slices.Values(all))); len(all) != 160 || len(distinct) != 160 {
					t.Errorf("%v: %d sections, %d of them distinct", words, len(all), len(distinct))
				}
				if words == nil && (all[0] != "a/guide/deep/raid.md#1" || all[159] != "b/guide/start.md#391" || all[2] != "a/guide/deep/raid.md#21") {
					t.Errorf("listed from %s, %s to %s", all[0], all[2], all[159])
				}
			}
		})
		t.Run("a sample", func(t *testing.T) {
			got := gather(t, s, sdk.GatherRequest{Sample: true, Limit: 60})
			groups := map[string]int{}
			for _, x := range got.Sections {
				groups[x.Section.Group]++
			}
			if len(got.Sections) != 60 || groups["a"] < 15 || groups["b"] < 15 || got.Statistics.Sections != 240 {
				t.Errorf("%d sections by manual: %v", len(got.Sections), groups)
			}
			again := gather(t, s, sdk.GatherRequest{Sample: true, Limit: 60})
			if diff := cmp.Diff(placesOf(got.Sections), placesOf(again.Sections)); diff != "" {
				t.Errorf("another sample: %s", diff)
			}
		})
		t.Run("refusals", func(t *testing.T) {
			for name, c := range map[string]struct {
				req  sdk.GatherRequest
				want string
			}{
				"generation": {sdk.GatherRequest{Kind: snapshot.KindManual, Limit: 1, Generation: "Docs_0.2"}, "search again"},
				"kind":       {sdk.GatherRequest{Kind: snapshot.KindPublication, Limit: 1}, "of kind manual"},
				"cursor":     {sdk.GatherRequest{Kind: snapshot.KindManual, Terms: terms("a"), Limit: 1, Cursor: "x"}, "cursor"},
			} {
				if _, err := s.Gather(t.Context(), &c.req); err == nil || !strings.Contains(err.Error(), c.want) {
					t.Errorf("%s: %v", name, err)
				}
			}
			if _, err := Upload(t.Context(), sdk.Upload{To: url, Corpus: sdktest.Publications(t, sdktest.Publication{Title: "x"})}); err == nil ||
				!strings.Contains(err.Error(), "of kind publication") {
				t.Errorf("another kind: %v", err)
			}
			if _, err := gatherer(t, url+"x").Gather(t.Context(), &sdk.GatherRequest{Limit: 1}); err == nil ||
				!strings.Contains(err.Error(), `no collection "docsx"`) {
				t.Errorf("a collection that is not there: %v", err)
			}
		})
	})
}

// The first gathered sections are those that a search of the snapshot finds first.
func TestGatheredHoldsTheBest(t *testing.T) {
	engines(t, func(t *testing.T, host string) {
		corpus := manual(t, nil)
		url := "weaviate://" + host + "/docs"
		uploaded(t, url, corpus)
		s := gatherer(t, url)
		for _, query := range []string{"RAID controller number17", "保証は第3条", "volume 5 of manualb"} {
			bag := lexical.NewBag(corpus, &sdk.Query{Text: query}, lexical.Weights{Word: 1, Exact: .2, Whole: .5, Unigram: .5, Bigram: 1, CommonKana: 1})
			var wanted []sdk.GatherTerm
			for _, x := range bag.Terms {
				wanted = append(wanted, sdk.GatherTerm{Text: x.Text, Weight: x.Weight, Slot: x.Slot})
			}
			have := placesOf(gather(t, s, sdk.GatherRequest{Terms: wanted, Limit: 60}).Sections)
			found := lexical.Search(t.Context(), corpus, nil, bag.Query, lexical.DefaultParams(true), 6)
			for _, h := range found.Hits {
				sec, _ := corpus.Section(h.Section)
				if at := fmt.Sprintf("%s/%s#%d", sec.Group, sec.Path, sec.Start); !slices.Contains(have, at) {
					t.Errorf("%q: %s is missing", query, at)
				}
			}
		}
	})
}
