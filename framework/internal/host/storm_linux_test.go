//go:build soak

package host_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/framework/internal/host"
	"github.com/sagasu-search/sagasu/framework/internal/search"
)

const (
	stormSearches = 10_000
	calmSearches  = 2_000
	stormEvery    = 100 * time.Millisecond
)

// TestSearchesInAStorm searches while every tenth of a second a strategy at random is
// killed, stopped or made to answer badly. All find the same, so every answer must be what
// as many of them as were not harmed find in the calm.
func TestSearchesInAStorm(t *testing.T) {
	names := []string{"storm-a", "storm-b", "storm-c", "storm-d", "storm-e"}
	want := make([][]string, len(names)+1) // by how many are harmed; of none, nothing
	for harmed := range names {
		_, search := sea(t, names[harmed:]...)
		want[harmed], _ = search()
	}
	h, search := sea(t, names...)
	empty := 0
	run := func(n int) (median, worst time.Duration, harmed int) {
		var took []time.Duration
		for range n {
			began := time.Now()
			rows, h := search()
			took = append(took, time.Since(began))
			if diff := cmp.Diff(want[h], rows); diff != "" {
				t.Fatalf("a wrong answer: %s", diff)
			}
			harmed += min(h, 1)
			empty += h / len(names)
		}
		slices.Sort(took)
		return took[n/2], took[n-1], harmed
	}
	calm, calmWorst, calmHarmed := run(calmSearches)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan map[string]int)
	go func() { done <- storm(ctx, h) }()
	began := time.Now()
	stormy, worst, harmed := run(stormSearches)
	cancel()
	t.Logf("calm: median %v, worst %v, %d harmed of %d", calm, calmWorst, calmHarmed, calmSearches)
	t.Logf("storm: median %v (%.2f times), worst %v, %d harmed of %d in %v, %d of them by all; %v",
		stormy, float64(stormy)/float64(calm), worst, harmed, stormSearches, time.Since(began).Round(time.Second), empty, <-done)
}

// sea returns a host of strategies with an engine, and a search that gives what was found and
// how many strategies were harmed.
func sea(t *testing.T, names ...string) (*host.Host, func() (rows []string, harmed int)) {
	t.Helper()
	o := host.ForTest(t, names...)
	o.CallTimeout = time.Second
	o.Suspension = time.Millisecond // else they would be left alone most of the time
	h, snap := host.StartNow(t, o)
	for _, name := range names {
		if err := h.OpenOne(t.Context(), name, snap); err != nil {
			t.Fatal(err)
		}
	}
	w := &witness{Host: h}
	engine := newEngine(t, w, snap)
	t.Cleanup(engine.Close)
	return h, func() (rows []string, harmed int) {
		answer, err := engine.Find(t.Context(), search.Request{Query: "find body", MaxCandidates: 10, TimeMS: 20_000})
		if err != nil {
			t.Fatal(err)
		}
		hits, err := engine.Hits(t.Context(), search.HitsRequest{TraceID: answer.TraceID, Kind: "candidates", Limit: 10})
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range hits.Items {
			rows = append(rows, row.Ref.Path+":"+strconv.Itoa(row.Ref.StartLine))
		}
		return rows, len(w.harmed(t, names, answer.Warnings))
	}
}

// storm does harm until ctx ends, and counts it.
func storm(ctx context.Context, h *host.Host) map[string]int {
	count := map[string]int{}
	ways := map[string]syscall.Signal{"killed": syscall.SIGKILL, "stopped": syscall.SIGSTOP, "corrupted": syscall.SIGUSR1}
	names := []string{"killed", "stopped", "corrupted"}
	ticker := time.NewTicker(stormEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return count
		case <-ticker.C:
		}
		states := h.Status()
		st, way := states[rand.IntN(len(states))], names[rand.IntN(len(names))]
		if st.PID != 0 && syscall.Kill(st.PID, ways[way]) == nil {
			count[way]++
		}
	}
}
