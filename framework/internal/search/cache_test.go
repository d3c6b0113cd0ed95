package search

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/framework/internal/search/semcache"
	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/sdktest"
	"github.com/sagasu-search/sagasu/sdk/x/query"
)

// counted counts the searches that reach a strategy.
type counted struct {
	fakes
	calls atomic.Int64
}

func (c *counted) Search(ctx context.Context, name string, req *sdk.Request) (*sdk.Result, error) {
	c.calls.Add(1)
	return c.fakes.Search(ctx, name, req)
}

// remembering returns an engine with a cache. Its searches wait until their answer is in the cache.
func remembering(t *testing.T, rows []sdktest.Section, guard semcache.Guard) (*counted, func(Request) (*Answer, bool)) {
	c := &counted{fakes: fakes{list: []words{exact}, fail: map[string]error{}}}
	e := engine(t, rows, c)
	e = New(Options{
		View: e.View, Strategies: c, Traces: e.Traces, Settings: e.Settings, Logger: e.Logger,
		Cache: &Cache{Default: true, Options: semcache.Options{TTL: time.Hour, Keep: 10, Guard: guard}},
	})
	e.build = plainly
	t.Cleanup(e.Close)
	return c, func(req Request) (*Answer, bool) {
		t.Helper()
		before := c.calls.Load()
		answer, err := find(t, e, req)
		if err != nil {
			t.Fatal(err)
		}
		e.traces.close() // an answer is cached after it is returned
		left, err := e.Hits(t.Context(), HitsRequest{TraceID: answer.TraceID, Kind: "unscanned", Limit: 100})
		if want := answer.Summary.Matched - answer.Summary.Candidates; err != nil || left.Total != want {
			t.Errorf("%d unscanned, want %d, %v", left.Total, want, err)
		}
		return answer, c.calls.Load() == before
	}
}

var off = semcache.Guard{MaxGaps: -1, MaxConflicts: -1}

func TestAskedAgain(t *testing.T) {
	_, find := remembering(t, manyRows(30), off)
	req := request("disk")
	req.MaxCandidates = 4
	first, hit := find(req)
	if hit {
		t.Fatal("found before it was searched")
	}
	again, hit := find(req)
	if !hit || again.TraceID == first.TraceID {
		t.Errorf("hit %v, trace %s after %s", hit, again.TraceID, first.TraceID)
	}
	if diff := cmp.Diff(first.Summary, again.Summary); diff != "" {
		t.Error(diff)
	}
	same := req
	same.Query = "Disk, please"
	if _, hit := find(same); !hit {
		t.Error("the same question in other words was searched for")
	}
	for name, change := range map[string]func(*Request){
		"another query":   func(r *Request) { r.Query = "text" },
		"another manual":  func(r *Request) { r.ManualID = "m1" },
		"another budget":  func(r *Request) { r.MaxCandidates = 5 },
		"no expansion":    func(r *Request) { r.ExpandScope = false },
		"without a cache": func(r *Request) { r.UseCache = new(bool) },
		"what is left":    func(r *Request) { r.OnlyUnscanned = first.TraceID },
	} {
		other := req
		change(&other)
		if _, hit := find(other); hit {
			t.Errorf("%s: answered from memory", name)
		}
	}
}

// A query without its frame gets the same cached answer as the one with it, unless it asks for a form of answer that
// the texts lack.
func TestFramesAreAnsweredFromMemory(t *testing.T) {
	rows := []sdktest.Section{
		{Path: "a.md", Heading: "Router", Body: "To reset the router, press the button.\n1. Press the button.\n2. Wait."},
		{Path: "b.md", Heading: "Modem", Body: "The modem was repaired in May."},
		{Path: "c.md", Heading: "RAID", Body: "RAID joins disks."},
	}
	for _, tc := range []struct {
		first, second string
		hit           bool
	}{
		{"RAID", "RAIDとは", true},
		{"RAIDとは何ですか", "RAID", true},
		{"RAIDとは", "how to RAID", false},
		{"reset the router", "how do I reset the router?", true},
		{"how do I reset the router", "reset the router", true},
		{"repair the modem", "how do I repair the modem", false},
		{"how do I repair the modem", "repair the modem", false},
	} {
		_, find := remembering(t, rows, off)
		if _, hit := find(request(tc.first)); hit {
			t.Fatalf("%s: found before it was searched", tc.first)
		}
		second, hit := find(request(tc.second))
		if hit != tc.hit {
			t.Errorf("%s after %s: hit %t", tc.second, tc.first, hit)
		}
		_, find = remembering(t, rows, off)
		fresh, _ := find(request(tc.second))
		if diff := cmp.Diff(fresh.Summary, second.Summary); diff != "" {
			t.Errorf("%s after %s (-searched +answered):\n%s", tc.second, tc.first, diff)
		}
	}
}

func TestPartialAnswersAreNotRemembered(t *testing.T) {
	c, find := remembering(t, manyRows(9), off)
	c.list = append(c.list, words{name: "other", stage: sdk.StageRetrieve, signals: []string{sdk.SignalLoose}})
	c.fail["other"] = errors.New("broken")
	find(request("disk"))
	if _, hit := find(request("disk")); hit {
		t.Error("an answer that lacks a strategy was given again")
	}
}

// The weight of an answer in the cache is its number of candidates.
func TestAnswersWeighTheirCandidates(t *testing.T) {
	e := engine(t, manyRows(30), fakes{list: []words{exact}})
	e.Options.Cache = &Cache{Default: true, Options: semcache.Options{TTL: time.Hour, Keep: 10, Weight: 4, Guard: off}}
	e = New(e.Options)
	e.build = plainly
	t.Cleanup(e.Close)
	for most, kept := range map[int]bool{4: true, 5: false} {
		req := request("disk")
		req.MaxCandidates = most
		first, err := find(t, e, req)
		if err != nil || first.Summary.Candidates != most {
			t.Fatalf("%+v, %v", first, err)
		}
		e.traces.close() // an answer is cached after it is returned
		view, _, err := e.viewWithin(t.Context(), 1000)
		if err != nil {
			t.Fatal(err)
		}
		if l := e.lookUp(t.Context(), newPlan(req, e.tuned()), Scope{}, view); l.hit() != kept {
			t.Errorf("%d candidates: %s", most, l.found.Mode)
		}
		view.Release()
	}
}

func TestGuardedAnswersAreSearchedAgain(t *testing.T) {
	_, find := remembering(t, manyRows(9), semcache.Guard{MaxGaps: 0, MaxConflicts: -1})
	for range 2 {
		if a, hit := find(request("disk zebra")); hit || a.Summary.GapCount == 0 {
			t.Errorf("hit %v with %d gaps", hit, a.Summary.GapCount)
		}
	}
}

func TestTracesOfHitsOutliveTheEngine(t *testing.T) {
	e := engine(t, manyRows(9), fakes{list: []words{exact}})
	e.Options.Cache = &Cache{Default: true, Options: semcache.Options{TTL: time.Hour, Keep: 10, Guard: off}}
	e = New(e.Options)
	e.build = plainly
	var ids []string
	for _, query := range []string{"disk", "disk", "Disk, please"} {
		answer, err := find(t, e, request(query))
		if err != nil {
			t.Fatal(err)
		}
		e.Close()
		ids = append(ids, answer.TraceID)
	}
	later := New(e.Options)
	for _, kind := range kinds() {
		for _, id := range ids {
			req := HitsRequest{TraceID: id, Kind: kind, Limit: 9, Explain: true}
			want, err := e.Hits(t.Context(), req)
			if err != nil {
				t.Fatal(err)
			}
			got, err := later.Hits(t.Context(), req)
			if diff := cmp.Diff(want, got); diff != "" || err != nil {
				t.Errorf("%s of %s: %v, %s", kind, id, err, diff)
			}
		}
	}
	if first, _ := later.traces.read(t.Context(), ids[1]); first.Request.Query != "disk" || first.ID != ids[1] {
		t.Errorf("trace %s of %q is stored as %s", first.ID, first.Request.Query, ids[1])
	}
	if other, _ := later.traces.read(t.Context(), ids[2]); other.Request.Query != "Disk, please" {
		t.Errorf("the trace of another wording is stored as that of %q", other.Request.Query)
	}
}

// A query that was cut may be answered from the cache, but the answer still warns that it was cut.
func TestACutQueryIsToldFromMemory(t *testing.T) {
	_, find := remembering(t, manyRows(30), off)
	whole := strings.Repeat("disk ", query.MaxLength/len("disk "))
	if first, hit := find(request(whole)); hit || len(first.Warnings) > 0 {
		t.Fatalf("hit %t, warnings %q", hit, first.Warnings)
	}
	if cut, hit := find(request(whole + "tape")); !hit || len(cut.Warnings) != 1 {
		t.Errorf("hit %t, warnings %q", hit, cut.Warnings)
	}
}
