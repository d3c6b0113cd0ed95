package adapt

import (
	"context"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/hashicorp/go-hclog"

	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// list is a list that several servers append to.
type list struct {
	mu    sync.Mutex
	lines [][]byte
}

// reader is a server's view of a list.
type reader struct {
	*list
	read int
}

func (r *reader) Append(_ context.Context, line []byte) ([][]byte, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.lines = append(r.lines, line)
	news := slices.Clone(r.lines[r.read:])
	r.read = len(r.lines)
	return news, nil
}

func (r *reader) Newest(_ context.Context, n int) ([][]byte, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.read = len(r.lines)
	return slices.Clone(r.lines[max(0, r.read-n):]), nil
}

// Servers that share a journal widen alike, by what all of them see; so does one that starts later.
func TestServersWidenAlike(t *testing.T) {
	all, now := &list{}, &clock{time: time.Unix(1_700_000_000, 0)}
	start := func() *Recorder {
		r := NewRecorder(Options{Log: Shared{&reader{list: all}}, Policy: policy, Tuning: true, TTL: time.Hour, Logger: hclog.NewNullLogger()})
		r.now = now.now
		return r
	}
	a, b := start(), start()
	search := func(r *Recorder) { // it finds too little and does not widen
		now.add(time.Hour)
		r.Found(Row{Candidates: 3}, []toolset.Ref{section("a.md", 1)})
		r.Use(section("a.md", 1))
		r.Use(section("z.md", 1))
	}
	for i := range 2 * window {
		search(a)
		waitFor(t, func() bool { all.mu.Lock(); defer all.mu.Unlock(); return len(all.lines) == i })
	}
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	search(b)
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	late := start()
	defer late.Close()
	if base := policy.Base; a.Thresholds().CandidateLow <= base.CandidateLow {
		t.Errorf("no threshold moved from %+v", base)
	}
	if a.Thresholds() != b.Thresholds() || b.Thresholds() != late.Thresholds() {
		t.Errorf("thresholds %+v, %+v and %+v", a.Thresholds(), b.Thresholds(), late.Thresholds())
	}
	if rows, err := (Shared{&reader{list: all}}).Rows(1 << 20); err != nil || len(rows) != 2*window+1 {
		t.Errorf("%d rows, %v", len(rows), err)
	}
}

func waitFor(t *testing.T, done func() bool) {
	t.Helper()
	for limit := time.Now().Add(10 * time.Second); !done(); time.Sleep(time.Millisecond) {
		if time.Now().After(limit) {
			t.Fatal("it takes too long")
		}
	}
}
