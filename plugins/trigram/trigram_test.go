package trigram

import (
	"fmt"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/sdktest"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	corpora "github.com/sagasu-search/sagasu/sdk/x/sample"
)

func TestTrigramsOfAText(t *testing.T) {
	for text, want := range map[string][]string{
		"":         nil,
		" - ":      nil,
		"a":        {" a "},
		"ab, c":    {" ab", "ab ", "b c", " c "},
		"冗長化":      {" 冗長", "冗長化", "長化 "},
		"x2  (y)!": {" x2", "x2 ", "2 y", " y "},
		"a\xffb":   {" a ", "a b", " b "},
	} {
		var got []string
		each(text, func(g gram) {
			got = append(got, string([]rune{rune(g >> 42), rune(g >> 21 & 0x1fffff), rune(g & 0x1fffff)}))
		})
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q: %s", text, diff)
		}
	}
}

func TestWhatSaysSomething(t *testing.T) {
	for r := range rune(unicode.MaxRune + 1) {
		if want := unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r); says(r) != want {
			t.Errorf("%U: %v", r, !want)
		}
	}
}

// order searches with all sections in the pool and returns them, best first.
func order(t *testing.T, query string, snap *snapshot.Snapshot) (ids []uint32) {
	t.Helper()
	req := &sdk.Request{Query: sdk.Query{Text: query}, Corpus: snap, Limit: 100}
	for it := snap.Live().Iterator(); it.HasNext(); {
		req.Pool = append(req.Pool, sdk.Candidate{Section: it.Next(), Score: 1})
	}
	res, err := New().Search(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range res.Candidates {
		ids = append(ids, c.Section)
	}
	return ids
}

func TestWhatComesFirst(t *testing.T) {
	other := sdktest.Section{Heading: "Other", Body: "nothing of the kind"}
	for name, tc := range map[string]struct{ query, first string }{
		"another form of the word": {"authenticate", "the authentication of users"},
		"a part of a compound":     {"認証サーバー", "サーバーの停止"},
		"a slip":                   {"configuraton", "the configuration file"},
	} {
		t.Run(name, func(t *testing.T) {
			snap := sdktest.Snapshot(t, other, other, sdktest.Section{Heading: "One", Body: tc.first}, other)
			if got := order(t, tc.query, snap); got[0] != 2 {
				t.Errorf("the order is %v", got)
			}
		})
	}
}

func TestShortSectionsDoNotLeadForBeingShort(t *testing.T) {
	snap := sdktest.Snapshot(t,
		sdktest.Section{Heading: "A", Body: "restart"},
		sdktest.Section{Heading: "B", Body: "restart the server " + strings.Repeat("and wait for it ", 10)},
	)
	if got := order(t, "restart server", snap); got[0] != 1 {
		t.Errorf("the order is %v", got)
	}
}

func TestWhatIsCommonOrdersNothing(t *testing.T) {
	var sections []sdktest.Section
	for i := range 30 {
		sections = append(sections, sdktest.Section{Heading: fmt.Sprint(i), Body: "server"})
	}
	sections[5].Body = "server server server server"
	sections[9].Body = "quota"
	if got := order(t, "server quota", sdktest.Snapshot(t, sections...)); got[0] != 9 || got[1] != 0 {
		t.Errorf("the order is %v", got)
	}
}

// TestWhatWasAskedForIsNotCommonForBeingGathered has 30 sections of a collection. Nearly all contain the rare word of
// the query, because they were gathered by it. The sample beside them shows which word is rare.
func TestWhatWasAskedForIsNotCommonForBeingGathered(t *testing.T) {
	var sections, others []corpora.Section
	for i := range 30 {
		body := "quota"
		if i%3 == 0 {
			body = "server"
		}
		sections = append(sections, corpora.Section{Heading: fmt.Sprint(i), Body: body})
		others = append(others, corpora.Section{Heading: fmt.Sprint(i), Body: "server"})
	}
	dir := t.TempDir()
	publish := func(name string, sections []corpora.Section) *snapshot.Snapshot {
		snap, err := corpora.Sections(dir, name, snapshot.KindManual, sections...)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { snap.Close() })
		return snap
	}
	publish("manual-000001", others)
	m := publish("manual-000002", sections).Manifest()
	m.Name, m.Sample, m.Gathered = "manual-000003", "manual-000001", &snapshot.Statistics{Sections: 100_000}
	if err := snapshot.Store(dir, m); err != nil {
		t.Fatal(err)
	}
	snap, err := snapshot.Open(dir, m.Name, true)
	if err != nil {
		t.Fatal(err)
	}
	defer snap.Close()
	if got := order(t, "server quota", snap); got[0] != 1 || got[19] != 29 || got[20] != 0 {
		t.Errorf("the order is %v", got)
	}
}

func TestHeadingsCountMore(t *testing.T) {
	snap := sdktest.Snapshot(t,
		sdktest.Section{Heading: "Notes", Body: "quota limits"}, sdktest.Section{Heading: "quota limits", Body: "Notes"})
	if got := order(t, "quota limits", snap); got[0] != 1 {
		t.Errorf("the order is %v", got)
	}
}
