package search

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/hashicorp/go-hclog"

	"github.com/sagasu-search/sagasu/framework/internal/search/adapt"
)

func TestSearchesAreRecorded(t *testing.T) {
	dir := t.TempDir()
	log, err := adapt.OpenLog(dir, "stats.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	base := adapt.Thresholds{CandidateLow: 5, FileBias: 0.75}
	recorder := adapt.NewRecorder(adapt.Options{
		Log: log, Policy: adapt.Policy{Base: base, MinRecall: 0.9}, TTL: time.Hour, Logger: hclog.NewNullLogger(),
	})
	e := engine(t, manyRows(30), fakes{list: []words{exact}})
	e.Recorder = recorder
	if s := e.tuned(); s.CandidateLow != 5 || s.FileBias != 0.75 {
		t.Errorf("thresholds %+v", s)
	}
	req := request("disk")
	req.MaxCandidates, req.Passages = 4, 3
	for range 2 {
		if answer, err := find(t, e, req); err != nil || len(answer.Passages) != 3 {
			t.Fatal(answer, err)
		}
	}
	e.Used("m0", "f00.md", 1)
	e.Used("m0", "nowhere.md", 1)
	if err := recorder.Close(); err != nil {
		t.Fatal(err)
	}
	log, err = adapt.OpenLog(dir, "stats.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	rows, err := log.Rows(1 << 20)
	if err != nil || len(rows) != 2 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	half := 0.5
	want := adapt.Row{
		Tool: adapt.Tool, QueryHash: adapt.QueryHash("disk"), Candidates: 4, Matched: 10, Unscanned: 6, FileBias: 0.5,
		CutoffReason: "candidate_cap", CacheMode: "bypass", Used: 2, Recalled: 1, Recall: &half,
	}
	ignore := cmpopts.IgnoreFields(adapt.Row{}, "Time", "ElapsedMS", "EstTokens", "EstTokensIn", "EstTokensOut", "AddedTokens", "State")
	if diff := cmp.Diff(want, rows[1], ignore, cmpopts.EquateEmpty()); diff != "" {
		t.Error(diff)
	}
	if rows[0].Used != 0 || rows[0].Recall != nil {
		t.Errorf("%d passages that were shown count as used", rows[0].Used)
	}
	if rows[0].AddedEvidence != 4 || rows[0].EstTokens == 0 || rows[1].CandidateLow != 5 {
		t.Errorf("%+v", rows[0])
	}
}
