package search

import (
	"cmp"

	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/sagasu-search/sagasu/framework/internal/index"
	"github.com/sagasu-search/sagasu/framework/internal/judge"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/sdk/sdktest"
)

// refsOf returns the sections of all rows of a kind, in their order.
func refsOf(t testing.TB, e *Engine, req HitsRequest) (refs []string) {
	t.Helper()
	for req.Limit = cmp.Or(req.Limit, 1000); ; {
		h, err := e.Hits(t.Context(), req)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range h.Items {
			refs = append(refs, fmt.Sprintf("%s/%s:%d", cmp.Or(r.Ref.ManualID, h.ManualID), r.Ref.Path, r.Ref.StartLine))
		}
		if h.NextOffset == nil {
			return refs
		}
		req.Offset = *h.NextOffset
	}
}

// gradedRows are n sections, each of which contains the query word more often than the previous one.
func gradedRows(n int) (rows []sdktest.Section) {
	for i := range n {
		body := strings.Repeat("disk ", i+1) + strings.Repeat("text ", n-i)
		rows = append(rows, sdktest.Section{Path: fmt.Sprintf("f%02d.md", i/7), Line: 10*(i%7) + 1, Heading: fmt.Sprint("Part ", i), Body: body})
	}
	return rows
}

func TestMatchedIsEverythingInRankOrder(t *testing.T) {
	e := engine(t, manyRows(90), fakes{list: []words{exact}})
	order := map[int][]string{}
	for _, most := range []int{200, 4} {
		req := request("disk section")
		req.MaxCandidates = most
		answer, err := find(t, e, req)
		if err != nil {
			t.Fatal(err)
		}
		order[most] = refsOf(t, e, HitsRequest{TraceID: answer.TraceID, Kind: "matched", Limit: 7})
		cut := refsOf(t, e, HitsRequest{TraceID: answer.TraceID, Kind: "unscanned"})
		if kept := order[most][min(most, 30):]; !slices.Equal(kept, cut) {
			t.Errorf("%d candidates: cut are %q, listed %q", most, cut, kept)
		}
		if len(order[most]) != answer.Summary.Matched {
			t.Errorf("%d rows, %d matched", len(order[most]), answer.Summary.Matched)
		}
	}
	if diff := gocmp.Diff(order[200], order[4]); diff != "" {
		t.Error(diff)
	}
}

func TestWhatNoStrategyListedIsRankedByItsWords(t *testing.T) {
	n := minLimit + 30 // the strategy lists only the first of them
	e := engine(t, gradedRows(n), fakes{list: []words{exact}})
	req := request("disk")
	req.MaxCandidates = 10
	answer, err := find(t, e, req)
	if err != nil {
		t.Fatal(err)
	}
	all := refsOf(t, e, HitsRequest{TraceID: answer.TraceID, Kind: "matched"})
	var want []string
	for i := n - 1; i >= minLimit; i-- {
		want = append(want, fmt.Sprintf("m/f%02d.md:%d", i/7, 10*(i%7)+1))
	}
	if len(all) != n {
		t.Fatalf("%d of %d", len(all), n)
	}
	if diff := gocmp.Diff(want, all[minLimit:]); diff != "" {
		t.Error(diff)
	}
}

// The order does not depend on the process that first computes it.
func TestAnotherProcessOrdersAStoredTraceTheSame(t *testing.T) {
	options := engine(t, gradedRows(minLimit+30), fakes{list: []words{exact}}).Options
	one, other := New(options), New(options)
	defer other.Close()
	req := request("disk")
	req.MaxCandidates = 10
	answer, err := one.Find(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	for _, kind := range []string{"matched", "unscanned"} {
		want := refsOf(t, one, HitsRequest{TraceID: answer.TraceID, Kind: kind})
		one.Close() // stores the trace
		if diff := gocmp.Diff(want, refsOf(t, other, HitsRequest{TraceID: answer.TraceID, Kind: kind})); diff != "" {
			t.Errorf("%s: %s", kind, diff)
		}
	}
	if kept := other.traces.newest; len(kept) != 1 || !kept[0].ordered {
		t.Errorf("%d traces kept with their order, want 1", len(kept))
	}
}

func TestMatchedCountsByFile(t *testing.T) {
	e := engine(t, gradedRows(16), fakes{list: []words{exact}})
	answer, _ := find(t, e, request("disk"))
	h, err := e.Hits(t.Context(), HitsRequest{TraceID: answer.TraceID, Kind: "matched", Limit: 3})
	want := []FileCount{{"", "f00.md", 7}, {"", "f01.md", 7}, {"", "f02.md", 2}}
	if diff := gocmp.Diff(want, h.Files); diff != "" || err != nil || h.ManualID != "m" || h.NextOffset == nil || *h.NextOffset != 3 {
		t.Errorf("%+v, %v\n%s", h, err, diff)
	}
}

var bookRows = []sdktest.Section{
	{Path: "a.md", Line: 1, Heading: "Backup > Disk", Body: "Choose a target first. Every disk is\nchecked at night. Then sleep.\nA disk fails. One disk more."},
	{Path: "a.md", Line: 9, Heading: "Backup > Empty disk", Body: ""},
	{Path: "b.md", Line: 1, Heading: "Tape", Body: "Disk: not needed."},
}

func TestLinesShowTheBestSentence(t *testing.T) {
	apart := sdktest.Section{Path: "c.md", Line: 1, Heading: "Rate", Body: "A disk is due in May. Tapes differ. No disk is late."}
	e := engine(t, append(slices.Clone(bookRows), apart), fakes{list: []words{{name: "exact", signals: exact.signals, stage: exact.stage}}})
	answer, _ := find(t, e, request("disk"))
	for _, kind := range []string{"matched", "candidates", "integrated_top"} {
		h, err := e.Hits(t.Context(), HitsRequest{TraceID: answer.TraceID, Kind: kind, Format: "lines", Limit: 9})
		want := []string{"a.md:2 Backup > Disk: Every disk is checked at night.\n4: A disk fails. One disk more.", "b.md:2 Tape: Disk: not needed.",
			"c.md:2 Rate: A disk is due in May. … No disk is late."}
		if diff := gocmp.Diff(want, h.Lines); diff != "" || err != nil || len(h.Items) > 0 || h.Total != 3 {
			t.Errorf("%s: %+v, %v\n%s", kind, h, err, diff)
		}
	}
	_, err := e.Hits(t.Context(), HitsRequest{TraceID: answer.TraceID, Kind: "gaps", Format: "lines", Limit: 9})
	if f := toolset.AsError(err); f == nil || f.Code != toolset.InvalidParameter {
		t.Errorf("lines of gaps: %v", err)
	}
}

func TestRowsSayWhereTheyStand(t *testing.T) {
	e := engine(t, append(disputedRows(), manyRows(40)...), fakes{list: []words{exact}})
	req := request("return an item within 30 days disk")
	req.MaxCandidates = 5
	answer, err := find(t, e, req)
	if err != nil {
		t.Fatal(err)
	}
	for _, kind := range []string{"candidates", "matched", "unscanned", "integrated_top", "claims", "evidences", "edges", "conflicts"} {
		h, err := e.Hits(t.Context(), HitsRequest{TraceID: answer.TraceID, Kind: kind, Limit: 1000})
		if err != nil {
			t.Fatal(err)
		}
		if len(h.Items) == 0 {
			t.Errorf("no %s", kind)
		}
		for _, r := range h.Items {
			text, err := r.MarshalJSON()
			if c, ok := r.Part.(judge.Conflict); ok {
				r.Lines, r.Breadcrumb = min(c.A.Lines, c.B.Lines), min(c.A.Breadcrumb, c.B.Breadcrumb)
			}
			if err != nil || r.Lines == "" || r.Breadcrumb == "" || !strings.Contains(string(text), `"breadcrumb":"`) || r.Changed {
				t.Errorf("%s: %s, %v", kind, text, err)
			}
		}
	}
}

// moving returns an engine whose snapshot can be replaced.
func moving(t *testing.T, before []sdktest.Section) (*Engine, func(after []sdktest.Section)) {
	e := engine(t, before, fakes{list: []words{exact}})
	opts, now := e.Options, snapshotOf(t, e)
	opts.View = func(context.Context, time.Duration) (index.View, error) {
		return index.View{Snapshot: now, Since: time.Now(), Release: func() {}}, nil
	}
	later := New(opts)
	t.Cleanup(later.Close)
	return later, func(after []sdktest.Section) { now = sdktest.Snapshot(t, after...) }
}

func TestRowsOfARetiredSnapshotComeFromTheFiles(t *testing.T) {
	e, retire := moving(t, bookRows)
	answer, err := find(t, e, request("disk"))
	if err != nil {
		t.Fatal(err)
	}
	after := slices.Clone(bookRows)
	after[0].Body = "A disk was replaced."
	after[1].Line = 5
	retire(after)
	for _, reader := range []*Engine{e, New(e.Options)} { // from memory and from the store
		h, err := reader.Hits(t.Context(), HitsRequest{TraceID: answer.TraceID, Kind: "matched", Limit: 9})
		if err != nil || len(h.Items) != 2 || !h.Items[0].Changed || h.Items[1].Changed {
			t.Errorf("%+v, %v", h, err)
		}
		h, err = reader.Hits(t.Context(), HitsRequest{TraceID: answer.TraceID, Kind: "matched", Format: "lines", Limit: 9})
		want := []string{"a.md:2 (changed) Backup > Disk: A disk was replaced.", "b.md:2 Tape: Disk: not needed."}
		if diff := gocmp.Diff(want, h.Lines); diff != "" || err != nil {
			t.Errorf("%v\n%s", err, diff)
		}
	}
	retire(bookRows[2:])
	h, err := e.Hits(t.Context(), HitsRequest{TraceID: answer.TraceID, Kind: "matched", Format: "lines", Limit: 9})
	if want := []string{"a.md:1 (gone)", "b.md:2 Tape: Disk: not needed."}; err != nil || !slices.Equal(h.Lines, want) {
		t.Errorf("%q, %v", h.Lines, err)
	}
}

// Cut sections are marked as changed in the same way as candidates, and keep the order in which they were first listed.
func TestRowsThatWereCutAndHaveChanged(t *testing.T) {
	rows := gradedRows(minLimit + 30)
	e, retire := moving(t, rows)
	req := request("disk")
	req.MaxCandidates = 10
	answer, err := find(t, e, req)
	if err != nil {
		t.Fatal(err)
	}
	list := HitsRequest{TraceID: answer.TraceID, Kind: "unscanned", Limit: 1000}
	first := refsOf(t, e, list)
	after := slices.Clone(rows)
	last := &after[len(after)-1]
	last.Body = "disk text"
	retire(after)
	if diff := gocmp.Diff(first, refsOf(t, e, list)); diff != "" {
		t.Error(diff)
	}
	h, err := New(e.Options).Hits(t.Context(), list)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range h.Items {
		if want := r.Ref.Path == last.Path; r.Changed != want {
			t.Errorf("%s:%d changed: %t, want %t", r.Ref.Path, r.Ref.StartLine, r.Changed, want)
		}
	}
}

// Rows whose sections an edit removed do not show another section's text.
func TestRowsOfAFileThatShrank(t *testing.T) {
	before := []sdktest.Section{
		{Path: "a.md", Line: 1, Heading: "One", Body: "A disk fails."},
		{Path: "a.md", Line: 5, Heading: "Two", Body: "A disk works."},
		{Path: "a.md", Line: 50, Heading: "Three", Body: "A disk spins."},
	}
	e, retire := moving(t, before)
	answer, err := find(t, e, request("disk"))
	if err != nil {
		t.Fatal(err)
	}
	retire([]sdktest.Section{{Path: "a.md", Line: 1, Heading: "One", Body: "A disk was replaced.\n\n\n\n\nIt spins."}})
	h, err := e.Hits(t.Context(), HitsRequest{TraceID: answer.TraceID, Kind: "matched", Format: "lines", Limit: 9})
	if err != nil {
		t.Fatal(err)
	}
	var changed, gone int
	for _, line := range h.Lines {
		if strings.HasSuffix(line, "(gone)") {
			gone++
		} else if strings.Contains(line, "(changed) One: A disk was replaced.") {
			changed++
		}
	}
	if changed != 1 || gone != 2 {
		t.Errorf("%q", h.Lines)
	}
}

func TestPagesStayWithinTheirTokens(t *testing.T) {
	if testing.Short() {
		t.Skip("asks for hundreds of pages")
	}
	e := engine(t, manyRows(200), fakes{list: []words{exact}})
	answer, _ := find(t, e, request("disk"))
	want := map[string][]string{}
	whole := func(format string) []string {
		h, err := e.Hits(t.Context(), HitsRequest{TraceID: answer.TraceID, Kind: "matched", Format: format, Limit: 1000})
		if err != nil {
			t.Fatal(err)
		}
		return rowTexts(t, h)
	}
	want["rows"], want["lines"] = whole("rows"), whole("lines")
	rapid.Check(t, func(rt *rapid.T) {
		format := rapid.SampledFrom([]string{"rows", "lines"}).Draw(rt, "format")
		most := rapid.IntRange(100, 3000).Draw(rt, "max_tokens")
		req := HitsRequest{TraceID: answer.TraceID, Kind: "matched", Format: format, Limit: rapid.IntRange(1, 100).Draw(rt, "limit"), MaxTokens: &most}
		var got []string
		for {
			h, err := e.Hits(t.Context(), req)
			if err != nil {
				f, ok := errors.AsType[*toolset.Error](err)
				if !ok || f.Code != toolset.InvalidParameter {
					rt.Fatal(err)
				}
				var least int
				if _, bad := fmt.Sscan(fmt.Sprint(f.Details["expected"]), &least); bad != nil || least <= most {
					rt.Fatalf("%+v", f)
				}
				most = least // the proposed budget must suffice
				if h, err = e.Hits(t.Context(), req); err != nil {
					rt.Fatalf("%d tokens: %v", least, err)
				}
			}
			if cost := toolset.Cost(h); cost > most {
				rt.Fatalf("%d of %d tokens", cost, most)
			}
			rows := rowTexts(t, h)
			if short := len(rows) < req.Limit && h.NextOffset != nil; short != (h.TruncatedReason == reasonTokens) || len(rows) == 0 {
				rt.Fatalf("%d rows of %d, truncated %q", len(rows), req.Limit, h.TruncatedReason)
			}
			got = append(got, rows...)
			if h.NextOffset == nil {
				break
			}
			req.Offset = *h.NextOffset
		}
		if diff := gocmp.Diff(want[format], got); diff != "" {
			rt.Fatal(diff)
		}
	})
}

// rowTexts returns the rows of a page as text.
func rowTexts(t *testing.T, h *Hits) []string {
	t.Helper()
	out := slices.Clone(h.Lines)
	for _, r := range h.Items {
		text, err := r.MarshalJSON()
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, string(text))
	}
	return out
}
