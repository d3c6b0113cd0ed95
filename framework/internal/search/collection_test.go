package search

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/go-hclog"

	"github.com/sagasu-search/sagasu/framework/internal/collection"
	far "github.com/sagasu-search/sagasu/framework/internal/collection/testdata/engine"
	"github.com/sagasu-search/sagasu/framework/internal/host"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/plugins/normalized"
	"github.com/sagasu-search/sagasu/plugins/synonym"
	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/sdktest"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// elsewhere returns an engine that searches rows as a collection, and the external engine that holds them.
func elsewhere(t *testing.T, rows []sdktest.Section, more ...sdk.Strategy) (*Engine, *far.Engine) {
	t.Helper()
	held := &far.Engine{Snapshot: sdktest.Snapshot(t, rows...), Answered: 3}
	c, err := collection.Open(collection.Options{
		Dir: t.TempDir(), Strategies: host.InProcess(append(more, held)...), Strategy: "engine", Kind: snapshot.KindManual, Logger: hclog.NewNullLogger(),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	e := engine(t, nil, fakes{list: []words{exact}})
	e.View, e.Collection = nil, c
	return e, held
}

func TestACollectionIsSearchedPartByPart(t *testing.T) {
	const n = 2500
	rows := make([]sdktest.Section, n)
	for i := range rows {
		rows[i] = sdktest.Section{Manual: "m", Path: fmt.Sprintf("f%04d.md", i), Line: 1, Heading: "h", Body: "disk"}
	}
	e, _ := elsewhere(t, rows)
	seen := map[string]int{}
	req := request("disk")
	req.MaxCandidates = 600
	for calls := 1; ; calls++ {
		answer, err := e.Find(t.Context(), req)
		if err != nil {
			t.Fatal(err)
		}
		hits, err := e.Hits(t.Context(), HitsRequest{TraceID: answer.TraceID, Kind: "candidates", Limit: 1000})
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range hits.Items {
			if seen[row.Ref.Path]++; row.Lines == "" {
				t.Fatalf("%s has no lines", row.Ref.Path)
			}
		}
		left, err := e.Hits(t.Context(), HitsRequest{TraceID: answer.TraceID, Kind: "unscanned", Limit: 1000})
		if err != nil {
			t.Fatal(err)
		}
		all, err := e.Hits(t.Context(), HitsRequest{TraceID: answer.TraceID, Kind: "matched", Format: "lines", Limit: 1000})
		if err != nil {
			t.Fatal(err)
		}
		if all.AtLeast != answer.Summary.AtLeast || len(all.Lines) == 0 || !strings.Contains(all.Lines[0], "disk") {
			t.Errorf("call %d: matched says %t, the summary %t, first %q", calls, all.AtLeast, answer.Summary.AtLeast, slices.Concat(all.Lines, []string{""})[0])
		}
		if calls == 1 {
			beyond := left.Items[len(left.Items)-1]
			if beyond.Reason != reasonHard || beyond.Sections != n-1000 || beyond.Cursor == "" || answer.Summary.CutoffReason != reasonHard || !answer.Summary.AtLeast {
				t.Errorf("what lies beyond is %+v, %+v", beyond, answer.Summary)
			}
		}
		if len(left.Items) == 0 {
			if answer.Summary.AtLeast || answer.Summary.CutoffReason != "" {
				t.Errorf("the last answer says %+v", answer.Summary)
			}
			break
		}
		if calls == 10 {
			t.Fatal("it does not end")
		}
		req.OnlyUnscanned = answer.TraceID
	}
	for path, times := range seen {
		if times != 1 {
			t.Errorf("%s was found %d times", path, times)
		}
	}
	if len(seen) != n {
		t.Errorf("%d of %d sections were found", len(seen), n)
	}
}

func TestAnAnswerOfSomeShardsIsPartial(t *testing.T) {
	e, held := elsewhere(t, manyRows(30))
	held.Answered = 2
	answer, err := e.Find(t.Context(), request("disk"))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"1 of 3 shards of the collection did not answer: what they hold is missing"}
	if diff := cmp.Diff(want, answer.Warnings); diff != "" || answer.Summary.IntegrationStatus != "needs_followup" ||
		!slices.Contains(answer.Summary.StatusReasons, statusStrategy) {
		t.Errorf("%s%+v", diff, answer.Summary)
	}
}

// TestPlacesOfACollection distinguishes a section that was not gathered from one that does not exist.
func TestPlacesOfACollection(t *testing.T) {
	e, _ := elsewhere(t, []sdktest.Section{
		{Manual: "m", Path: "a.md", Line: 1, Heading: "Disks", Body: "lamps"},
		{Manual: "m", Path: "a.md", Line: 5, Heading: "Errors", Body: "disk errors"},
		{Manual: "m", Path: "b.md", Line: 1, Heading: "Fans", Body: "noise"},
	})
	held := func(_ context.Context, manual, path string) string {
		if manual == "m" && path == "b.md" {
			return "it exists"
		}
		return ""
	}
	for asked, want := range map[string]string{
		"m/b.md": "m/b.md was not gathered from the collection", "m/b.md#L1": "m/b.md was not gathered",
		"m/a.md#L1": "m/a.md was not gathered", "m/a.md#L90": "m/a.md was not gathered", "m/a.md#L5": "",
		"Fans": `no section that was gathered has the heading "Fans"`, "m/c.md": `no manual has a file "m/c.md"`,
	} {
		why, err := e.Why(t.Context(), WhyRequest{Request: request("errors"), Sections: []string{asked}, Shown: 3, Unlisted: held})
		said := fmt.Sprint(err)
		if err == nil {
			said = why.Standings[0].Sentence
			if got := why.Standings[0].Stage; (got == StageNotGathered) != (want != "") {
				t.Errorf("%s: %s", asked, got)
			}
		}
		if !strings.Contains(said, want) {
			t.Errorf("%s: %q, want %q", asked, said, want)
		}
	}
	answer, err := e.Find(t.Context(), request("errors"))
	if err != nil || answer.Summary.Matched != 1 || !answer.Summary.AtLeast || answer.Summary.CutoffReason != "" {
		t.Errorf("%+v, %v", answer, err)
	}
}

func TestAManualOfACollection(t *testing.T) {
	e, held := elsewhere(t, manyRows(30))
	var groups []string
	held.After = func(req *sdk.GatherRequest, _ *sdk.Gathered) {
		if !req.Sample {
			groups = req.Filter.Groups
		}
	}
	req := request("disk")
	req.ManualID = "m1"
	answer, err := e.Find(t.Context(), req)
	if err != nil || answer.Summary.Candidates != 5 || !slices.Equal(groups, []string{"m1"}) {
		t.Errorf("%+v of %v, %v", answer, groups, err)
	}
	req.ManualID = "m2"
	if _, err := e.Find(t.Context(), req); toolset.AsError(err).Code != toolset.NotFound {
		t.Errorf("an unknown manual: %v", err)
	}
}

func TestAMisspeltWordIsGatheredToo(t *testing.T) {
	rows := []sdktest.Section{
		{Path: "a.md", Heading: "Tumor", Body: "tumor microenvironment"},
		{Path: "b.md", Heading: "Other", Body: "the microenvironment of plants"},
	}
	e, _ := elsewhere(t, rows)
	answer, err := e.Find(t.Context(), request("tumor microenviroment"))
	if err != nil || answer.Summary.Candidates != 2 {
		t.Errorf("%+v, %v", answer, err)
	}
}

// TestSynonymsAreGathered searches for a word that no section has.
func TestSynonymsAreGathered(t *testing.T) {
	rows := manyRows(30)
	rows = append(rows, sdktest.Section{Path: "z.md", Heading: "Money", Body: "A refund takes thirty days"})
	synonyms := synonym.New()
	e, _ := elsewhere(t, rows, synonyms)
	e.Strategies = host.InProcess(normalized.New(), synonyms)
	answer, err := e.Find(t.Context(), request("返金"))
	if err != nil {
		t.Fatal(err)
	}
	hits, err := e.Hits(t.Context(), HitsRequest{TraceID: answer.TraceID, Kind: "candidates", Limit: 5})
	if err != nil || len(hits.Items) != 1 || hits.Items[0].Ref.Path != "z.md" {
		t.Errorf("%+v, %v", hits, err)
	}
}

func TestATraceOfAReplacedCollection(t *testing.T) {
	e, held := elsewhere(t, manyRows(30))
	answer, err := e.Find(t.Context(), request("disk"))
	if err != nil {
		t.Fatal(err)
	}
	held.Generation = "2"
	for range 8 { // the number of views that are kept
		if _, err := e.Find(t.Context(), request("text")); err != nil {
			t.Fatal(err)
		}
	}
	hits, err := e.Hits(t.Context(), HitsRequest{TraceID: answer.TraceID, Kind: "candidates", Limit: 5})
	if err != nil || len(hits.Items) != 5 {
		t.Errorf("rows: %+v, %v", hits, err)
	}
	_, err = e.Hits(t.Context(), HitsRequest{TraceID: answer.TraceID, Kind: "candidates", Format: "lines", Limit: 5})
	if toolset.AsError(err).Code != toolset.NotFound {
		t.Errorf("lines: %v", err)
	}
}
