package vault

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/go-hclog"

	"github.com/sagasu-search/sagasu/framework/internal/host"
	"github.com/sagasu-search/sagasu/framework/internal/index"
	"github.com/sagasu-search/sagasu/framework/internal/judge"
	"github.com/sagasu-search/sagasu/framework/internal/rootfs"
	"github.com/sagasu-search/sagasu/framework/internal/search"
	"github.com/sagasu-search/sagasu/framework/internal/store"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/sdktest"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/x/sample"
)

// letters finds the sections that hold the query's text.
type letters struct{}

func (letters) Strategies(context.Context) ([]sdk.Description, []host.Failure) {
	return []sdk.Description{{Name: "normalized", Version: "1", Stage: sdk.StageRetrieve, Signals: []string{sdk.SignalNormalized}, Weight: 1}}, nil
}

func (letters) Search(_ context.Context, _ string, req *sdk.Request) (*sdk.Result, error) {
	res := &sdk.Result{Matched: roaring.New(), Finished: true}
	for it := req.Scope.Iterator(); it.HasNext(); {
		id := it.Next()
		res.Examined++
		if strings.Contains(req.Corpus.Normalized(id, snapshot.FieldBody), req.Query.Text) {
			res.Matched.Add(id)
			res.Candidates = append(res.Candidates, sdk.Candidate{
				Section: id, Score: 1, Coverage: 1, Signals: []string{sdk.SignalNormalized}, Terms: []string{req.Corpus.Normalized(id, snapshot.FieldBody)},
			})
		}
	}
	return res, nil
}

// newFinder searches sections of a vault that also holds two files which cannot be searched.
func newFinder(t *testing.T, sections ...sdktest.Section) *Finder {
	t.Helper()
	snap := sdktest.Snapshot(t, sections...)
	traces := store.Open(t.TempDir(), 100, time.Hour)
	f := &Finder{
		Engine: search.New(search.Options{
			View: func(context.Context, time.Duration) (index.View, error) {
				return index.View{Snapshot: snap, Since: time.Now(), Release: func() {}, Skipped: []toolset.Skip{
					{ManualID: "vault", Path: "a/bad.md", Reason: "not UTF-8"}, {ManualID: "vault", Path: "b/nul.txt", Reason: "it holds NUL"},
				}}, nil
			},
			Strategies: letters{}, Traces: traces, Settings: search.DefaultSettings(), Tool: "vault_find", Logger: hclog.NewNullLogger(),
		}),
		Folder: func(param, dir string) (string, error) {
			if dir == "none" {
				return "", toolset.Errorf(toolset.NotFound, "it does not exist").With("parameter", param)
			}
			return strings.ToLower(dir), nil
		},
	}
	t.Cleanup(f.Engine.Close)
	return f
}

// searched searches, and fails where what the search leaves holds text of the snapshot.
func searched(t *testing.T, f *Finder, args FindArgs) (*FindResult, error) {
	t.Helper()
	result, err := f.Find(t.Context(), args)
	left := []any{result, err}
	if err == nil {
		trace, err := f.Engine.Trace(t.Context(), result.TraceID)
		left = append(left, trace, err)
	}
	view, err2 := f.Engine.View(t.Context(), 0)
	if err2 != nil {
		t.Fatal(err2)
	}
	defer view.Release()
	for _, text := range sample.Views(view.Snapshot, left...) {
		t.Errorf("%q leaves a view: %s", args.Query, text)
	}
	return result, err
}

// notes are files of one section.
func notes() (out []sdktest.Section) {
	for _, path := range []string{"a/one.md", "a/two.md", "b/three.md"} {
		out = append(out, sdktest.Section{Manual: "vault", Path: path, Line: 1, Body: "disk disk"})
	}
	return out
}

func findArgs(query, dir, glob string, most int) FindArgs {
	args := toolset.Defaults[FindArgs]()
	args.Query, args.Scope, args.Budget.MaxCandidates = query, FindScope{Dir: rootfs.Path(dir), Glob: glob}, most
	return args
}

func TestAVaultTellsWhatItCannotSearch(t *testing.T) {
	f := newFinder(t, notes()...)
	for _, c := range []struct {
		dir, glob string
		scanned   int
		skipped   []toolset.Skip
	}{
		{"", "", 3, []toolset.Skip{{Path: "a/bad.md", Reason: "not UTF-8"}, {Path: "b/nul.txt", Reason: "it holds NUL"}}},
		{"A", "", 2, []toolset.Skip{{Path: "a/bad.md", Reason: "not UTF-8"}}},
		{"", "*.txt", 0, []toolset.Skip{{Path: "b/nul.txt", Reason: "it holds NUL"}}},
		{"b", "*.md", 1, nil},
	} {
		answer, err := searched(t, f, findArgs("disk", c.dir, c.glob, 9))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(c.skipped, answer.Summary.Skipped); diff != "" || answer.Summary.ScannedFiles != c.scanned {
			t.Errorf("%s %s: %d files, skipped %s", c.dir, c.glob, answer.Summary.ScannedFiles, diff)
		}
		hits, err := f.Hits(t.Context(), HitsArgs{TraceID: answer.TraceID, Kind: "skipped", Limit: 9})
		if err != nil || hits.Total != len(c.skipped) || len(hits.Items) != len(c.skipped) || answer.Summary.SkippedFiles != len(c.skipped) {
			t.Errorf("%s %s: listed %+v of %d, %v", c.dir, c.glob, hits, answer.Summary.SkippedFiles, err)
		}
		warned := slices.ContainsFunc(answer.Summary.Warnings, func(w string) bool { return w != "no file of the vault lies in the scope" })
		if warned != (len(c.skipped) > 0) {
			t.Errorf("%s %s: warnings %q", c.dir, c.glob, answer.Summary.Warnings)
		}
	}
	_, err := searched(t, f, findArgs("disk", "none", "", 9))
	if bad := toolset.AsError(err); err == nil || bad.Code != toolset.NotFound || bad.Details["parameter"] != "scope.relative_dir" {
		t.Errorf("a folder that is not there: %v", err)
	}
}

// leaving is a strategy whose caller gives up while it searches.
type leaving struct {
	letters
	leave context.CancelFunc
}

func (l leaving) Search(ctx context.Context, _ string, _ *sdk.Request) (*sdk.Result, error) {
	l.leave()
	return nil, ctx.Err()
}

func TestACallerThatGaveUpIsNoFaultOfAStrategy(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	f := newFinder(t, notes()...)
	f.Engine.Strategies = leaving{letters{}, cancel}
	_, err := f.Find(ctx, findArgs("disk", "", "", 10))
	if told := toolset.Explain(err); !errors.Is(told, context.Canceled) {
		t.Errorf("error %v", told)
	}
}

func TestABadGlobIsNamed(t *testing.T) {
	_, err := newFinder(t, notes()...).Find(t.Context(), findArgs("disk", "", "[", 9))
	if bad := toolset.AsError(err); err == nil || bad.Code != toolset.InvalidParameter || bad.Details["parameter"] != "scope.glob" {
		t.Errorf("%v", err)
	}
}

func TestProposalsKeepTheScope(t *testing.T) {
	f := newFinder(t, notes()...)
	for query, most := range map[string]int{"nothing": 9, "disk": 1} {
		answer, err := searched(t, f, findArgs(query, "a", "*.md", most))
		if err != nil {
			t.Fatal(err)
		}
		if first := answer.NextActions[0]; query == "disk" && (first.Type != "vault_read" || first.Params["path"] != "a/one.md") {
			t.Errorf("what was found is not proposed first: %+v", first)
		}
		checked := 0
		for _, a := range answer.NextActions {
			var scope any
			switch a.Type {
			case "vault_search":
				scope = map[string]any{"relative_dir": a.Params["relative_dir"], "glob": a.Params["glob"]}
			case "vault_find":
				scope = a.Params["scope"]
			default:
				continue
			}
			checked++
			if diff := cmp.Diff(map[string]any{"relative_dir": "a", "glob": "*.md"}, scope); diff != "" {
				t.Errorf("%s proposes %s without its scope: %s", query, a.Type, diff)
			}
		}
		if checked == 0 {
			t.Errorf("%s: no search is proposed in %+v", query, answer.NextActions)
		}
	}
}

func TestEveryKindOfHitsIsServed(t *testing.T) {
	f := newFinder(t,
		sdktest.Section{Manual: "vault", Path: "a.md", Line: 5, Heading: "One", Body: "disk"},
		sdktest.Section{Manual: "vault", Path: "a.md", Line: 11, Heading: "Two", Body: "tape"},
		sdktest.Section{Manual: "vault", Path: "b.md", Line: 1, Heading: "Three", Body: "disk"})
	found, err := searched(t, f, findArgs("disk", "", "", 1))
	if err != nil || found.Summary.Candidates != 1 || found.Summary.GapRangesCount != 1 || found.Summary.SignalCoverage.Normalized != 1 {
		t.Fatalf("%+v, %v", found, err)
	}
	for kind, want := range map[string]string{"candidates": "a.md:5", "gaps": "a.md:7", "unscanned": "b.md:1"} {
		hits, err := f.Hits(t.Context(), HitsArgs{TraceID: found.TraceID, Kind: kind, Limit: 9})
		if err != nil || hits.Total != 1 {
			t.Fatalf("%s: %+v, %v", kind, hits, err)
		}
		ref := hits.Items[0].Ref
		if got := fmt.Sprintf("%s:%d", ref.Path, ref.StartLine); got != want || ref.Target != "vault" || (hits.Items[0].Score != nil) != (kind == "candidates") {
			t.Errorf("%s: %s %+v, want %s", kind, got, hits.Items[0], want)
		}
		if past, err := f.Hits(t.Context(), HitsArgs{TraceID: found.TraceID, Kind: kind, Offset: 2, Limit: 9}); err != nil || past.Items == nil || len(past.Items) > 0 {
			t.Errorf("%s past the end: %+v, %v", kind, past, err)
		}
	}
	_, err = f.Hits(t.Context(), HitsArgs{TraceID: "no-such", Kind: "candidates", Limit: 9})
	if bad := toolset.AsError(err); err == nil || bad.Code != toolset.NotFound || !strings.Contains(bad.Message, "vault_find") {
		t.Errorf("a trace that is not there: %v", err)
	}
}

func TestVerdict(t *testing.T) {
	for _, tc := range []struct {
		candidates, gaps int
		bias             float64
		score            float64
		want             judge.Status
	}{
		{0, 0, 0, 0, judge.Blocked},
		{2, 0, 0, .4, judge.NeedsFollowUp},
		{3, 0, 0, .6, judge.Ready},
		{3, 0, 1, .48, judge.NeedsFollowUp},
		{5, 0, 1, .8, judge.Ready},
		{9, 0, 0, 1, judge.Ready},
		{9, 1, 0, 1, judge.NeedsFollowUp},
	} {
		score := sufficiency(tc.candidates, tc.bias)
		if math.Abs(score-tc.score) > 1e-9 {
			t.Errorf("%+v: sufficiency %g", tc, score)
		}
		if got := verdict(tc.candidates, tc.gaps, score); got != tc.want {
			t.Errorf("%+v: %s", tc, got)
		}
	}
}

// Pages within so many tokens hold every row once, in order.
func TestPagesWithinTokens(t *testing.T) {
	var sections []sdktest.Section
	for i := range 30 {
		sections = append(sections, sdktest.Section{Manual: "vault", Path: fmt.Sprintf("notes/%02d%s.md", i, strings.Repeat("-long", 20)), Line: 1, Body: "raid"})
	}
	f := newFinder(t, sections...)
	found, err := f.Find(t.Context(), findArgs("raid", "", "", 200))
	if err != nil {
		t.Fatal(err)
	}
	most, seen, offset := 300, map[string]int{}, 0
	for range 40 {
		hits, err := f.Hits(t.Context(), HitsArgs{TraceID: found.TraceID, Kind: "candidates", Offset: offset, Limit: 50, MaxTokens: &most})
		if err != nil {
			t.Fatal(err)
		}
		if n := toolset.Cost(hits); n > most || hits.Total != 30 {
			t.Errorf("%d tokens from %d, total %d", n, offset, hits.Total)
		}
		for _, row := range hits.Items {
			seen[row.Ref.Path]++
		}
		if hits.Next == nil {
			break
		}
		offset = *hits.Next
	}
	if offset == 0 || len(seen) != 30 {
		t.Errorf("%d rows, the last page from %d", len(seen), offset)
	}
	for path, n := range seen {
		if n != 1 {
			t.Errorf("%s was listed %d times", path, n)
		}
	}
	least := 100
	_, err = f.Hits(t.Context(), HitsArgs{TraceID: found.TraceID, Kind: "candidates", Limit: 50, MaxTokens: &least})
	if toolset.AsError(err).Details["parameter"] != "max_tokens" {
		t.Fatal(err)
	}
	least = toolset.AsError(err).Details["nearest"].(int)
	if hits, err := f.Hits(t.Context(), HitsArgs{TraceID: found.TraceID, Kind: "candidates", Limit: 50, MaxTokens: &least}); err != nil || len(hits.Items) != 1 || *hits.Next != 1 {
		t.Errorf("%+v, %v", hits, err)
	}
}
