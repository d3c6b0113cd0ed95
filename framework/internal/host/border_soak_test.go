//go:build soak

package host

import (
	"slices"
	"testing"
	"time"
)

// borders are the ways to run a strategy, the usual one last.
var borders = []struct {
	name              string
	unconfined, clear bool
}{{"bare", true, true}, {"encrypted", true, false}, {"confined", false, true}, {"usual", false, false}}

// TestWhatTheBorderCosts starts and searches in turns with and without sandbox and
// encryption, and tells the medians: whatever else the machine does, it does to all.
func TestWhatTheBorderCosts(t *testing.T) {
	const rounds, calls = 40, 50
	hosts := make([]*Host, len(borders))
	search := make([]func(), len(borders))
	for i, b := range borders {
		o := options(t, "actor")
		o.unconfined, o.clear = b.unconfined, b.clear
		h, _ := start(t, o)
		snap := publish(t, o.IndexDir, 1000)
		settle(t, h)
		must(t, h.OpenOne(t.Context(), "actor", snap))
		hosts[i], search[i] = h, func() {
			_, err := h.Search(t.Context(), "actor", request(snap, "find"))
			must(t, err)
		}
	}
	starts, searches := make([][]time.Duration, len(borders)), make([][]time.Duration, len(borders))
	for range rounds {
		for i, h := range hosts {
			began := time.Now()
			p, err := h.launch(t.Context(), h.slots[0].entry())
			must(t, err)
			starts[i] = append(starts[i], time.Since(began))
			p.close()
			for range calls {
				began := time.Now()
				search[i]()
				searches[i] = append(searches[i], time.Since(began))
			}
		}
	}
	ratio := func(of [][]time.Duration, i int) (time.Duration, float64) {
		slices.Sort(of[i])
		return of[i][len(of[i])/2], float64(of[i][len(of[i])/2]) / float64(of[0][len(of[0])/2])
	}
	for i, b := range borders {
		start, more := ratio(starts, i)
		call, slower := ratio(searches, i)
		t.Logf("%-9s start %v (%.2f), search %v (%.2f)", b.name, start.Round(time.Microsecond), more, call.Round(time.Microsecond), slower)
	}
}
