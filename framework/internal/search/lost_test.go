package search

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/hashicorp/go-hclog"

	"github.com/sagasu-search/sagasu/framework/internal/search/adapt"
	"github.com/sagasu-search/sagasu/framework/internal/store"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// If traces and statistics cannot be written, the answer is complete and says so.
func TestWhatCannotBeKeptIsAWarning(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	e := engine(t, manyRows(9), fakes{list: []words{exact}})
	good := e.Options
	e.Traces = store.Open(filepath.Join(file, "traces"), 100, time.Hour)
	log, err := adapt.OpenLog(filepath.Dir(file), "file/stats.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	e.Recorder = adapt.NewRecorder(adapt.Options{
		Log: log, Policy: adapt.Policy{Base: adapt.Thresholds{CandidateLow: 3, FileBias: 0.8}}, TTL: time.Hour, Logger: hclog.NewNullLogger(),
	})
	defer e.Recorder.Close()
	e = New(e.Options)
	e.build = plainly
	defer e.Close()
	statistics := 0
	for limit := time.Now().Add(20 * time.Second); statistics == 0 && time.Now().Before(limit); {
		answer, err := e.Find(t.Context(), request("disk"))
		if err != nil || answer.Summary.Candidates != 3 {
			t.Fatal(answer, err)
		}
		told := 0
		for _, w := range answer.Warnings {
			switch {
			case strings.HasPrefix(w, "the trace could not be kept in "+file) && strings.Contains(w, "only this process"):
				told++
			case strings.HasPrefix(w, "statistics of use are not kept: "):
				statistics++
			}
		}
		if told != 1 || len(answer.Warnings) > 2 {
			t.Fatalf("warnings %q", answer.Warnings)
		}
		if h, err := e.Hits(t.Context(), HitsRequest{TraceID: answer.TraceID, Kind: "candidates", Limit: 9}); err != nil || h.Total != 3 {
			t.Errorf("%+v, %v", h, err)
		}
	}
	if statistics != 1 {
		t.Error("nothing says that statistics are not kept")
	}
	e = New(good)
	defer e.Close()
	if answer, err := e.Find(t.Context(), request("disk")); err != nil || len(answer.Warnings) > 0 {
		t.Errorf("on a good disk: %q, %v", answer.Warnings, err)
	}
}

// prober counts the probes of a store.
type prober struct {
	store.Store
	probes atomic.Int32
}

func (p *prober) Probe(ctx context.Context, size int) error {
	p.probes.Add(1)
	return p.Store.Probe(ctx, size)
}

// A trace that was just stored shows that the next one can be stored.
func TestTheDiskIsProbedNowAndThen(t *testing.T) {
	e := engine(t, manyRows(9), fakes{list: []words{exact}})
	counted := &prober{Store: e.traces.store}
	e.traces.store = counted
	for i, want := range []int32{1, 1, 2, 3} {
		switch i {
		case 2:
			e.traces.stored = e.traces.stored.Add(-probeEvery)
		case 3:
			e.traces.lost = errors.New("no room")
		}
		if _, err := e.Find(t.Context(), request("disk")); err != nil {
			t.Fatal(err)
		}
		e.traces.close()
		if n := counted.probes.Load(); n != want {
			t.Errorf("%d probes by search %d, want %d", n, i+1, want)
		}
	}
}

// A disk may have had room only for the probe. Then the next answer reports that the last trace was lost.
func TestALostTraceIsToldByTheNextAnswer(t *testing.T) {
	e := engine(t, manyRows(9), fakes{list: []words{exact}})
	blocked := filepath.Join(e.traces.store.String(), e.traces.session)
	if err := os.WriteFile(blocked, nil, 0o600); err != nil { // in place of the session's folder
		t.Fatal(err)
	}
	for i, want := range []int{0, 1, 1, 0} {
		if i == 2 {
			if err := os.Remove(blocked); err != nil {
				t.Fatal(err)
			}
		}
		answer, err := e.Find(t.Context(), request("disk"))
		if err != nil || len(answer.Warnings) != want {
			t.Errorf("answer %d: %q, %v", i+1, answer.Warnings, err)
		}
		e.traces.close()
	}
}

// Traces that could not be stored stay in memory when later ones can be stored, of which only the newest do.
func TestLostTracesStayInMemory(t *testing.T) {
	e := engine(t, manyRows(9), fakes{list: []words{exact}})
	blocked := filepath.Join(e.traces.store.String(), e.traces.session)
	if err := os.WriteFile(blocked, nil, 0o600); err != nil { // in place of the session's folder
		t.Fatal(err)
	}
	var lost []string
	for i := range 2 + tracesAtHand + 3 {
		if i == 2 {
			if err := os.Remove(blocked); err != nil {
				t.Fatal(err)
			}
		}
		answer, err := e.Find(t.Context(), request("disk"))
		if err != nil {
			t.Fatal(err)
		}
		if i < 2 {
			lost = append(lost, answer.TraceID)
		}
		e.traces.close()
	}
	for _, id := range lost {
		if h, err := e.Hits(t.Context(), HitsRequest{TraceID: id, Kind: "candidates", Limit: 9}); err != nil || h.Total != 3 {
			t.Errorf("%+v, %v", h, err)
		}
	}
	if n := len(e.traces.newest); n != 2+tracesAtHand {
		t.Errorf("%d traces in memory, want the lost ones and the newest %d", n, tracesAtHand)
	}
}

// What was found is listed where its context keeps it, however many searches have followed.
func TestAKeptTraceIsListed(t *testing.T) {
	e := engine(t, manyRows(9), fakes{list: []words{exact}})
	options := e.Options
	options.Traces = store.Open(t.TempDir(), 1, time.Hour)
	e = New(options)
	e.build = plainly
	defer e.Close()
	ctx := Keeping(t.Context())
	answer, err := e.Find(ctx, request("disk"))
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if _, err := find(t, e, request("disk 9")); err != nil {
			t.Fatal(err)
		}
	}
	e.traces.close()
	list := toolset.Defaults[HitsRequest]()
	list.TraceID, list.Kind = answer.TraceID, "candidates"
	if rows, err := e.Hits(ctx, list); err != nil || len(rows.Items) == 0 {
		t.Errorf("rows %+v, %v", rows, err)
	}
	if snippets, err := e.Snippets(ctx, answer.TraceID, 3, 200); err != nil || len(snippets) == 0 {
		t.Errorf("snippets %+v, %v", snippets, err)
	}
}
