package adapt

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestTrends(t *testing.T) {
	monday := time.Date(2026, 11, 2, 9, 0, 0, 0, time.UTC).Unix()
	stand := func(low int) State { return State{Thresholds: Thresholds{low, 0.8}} }
	rows := []Row{
		{Time: monday, CacheMode: "miss", Used: 2, Recalled: 1, EstTokens: 10, ElapsedMS: 4, Expanded: true, State: stand(3)},
		{Time: monday, CacheMode: "exact", CacheHit: true, LatencySavedMS: 4, EstTokens: 20, State: stand(4)},
		{Time: monday + day, CacheMode: "bypass", CutoffReason: "time_budget", Used: 1, Recalled: 1, EstTokens: 30, ElapsedMS: 8, State: stand(4)},
	}
	half, three, whole := 0.5, 0.75, 1.0
	want := Trends{
		Totals: Totals{Count: 3, CacheHitRate: 0.5, Recall: &three, RecallCount: 2, CutoffRate: 1.0 / 3, ExpandedRate: 1.0 / 3, EstTokens: 20, ElapsedMS: 4, LatencySavedMS: 4},
		Days: []Day{
			{"2026-11-02", Totals{Count: 2, CacheHitRate: 0.5, Recall: &half, RecallCount: 1, ExpandedRate: 0.5, EstTokens: 15, ElapsedMS: 2, LatencySavedMS: 4}, Thresholds{4, 0.8}},
			{"2026-11-03", Totals{Count: 1, Recall: &whole, RecallCount: 1, CutoffRate: 1, EstTokens: 30, ElapsedMS: 8}, Thresholds{4, 0.8}},
		},
		Thresholds: []Change{{time.Unix(monday, 0).UTC(), Thresholds{3, 0.8}}, {time.Unix(monday, 0).UTC(), Thresholds{4, 0.8}}},
	}
	if diff := cmp.Diff(want, TrendsOf(rows)); diff != "" {
		t.Errorf("trends (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(Trends{Days: []Day{}, Thresholds: []Change{}}, TrendsOf(nil)); diff != "" {
		t.Errorf("without rows (-want +got):\n%s", diff)
	}
}

func TestTokens(t *testing.T) {
	for _, x := range []struct{ in, out, want int }{{0, 0, 0}, {1, 0, 1}, {3, 2, 2}, {4, 4, 2}} {
		if got := EstTokens(x.in, x.out); got != x.want {
			t.Errorf("EstTokens(%d, %d) = %d, want %d", x.in, x.out, got, x.want)
		}
	}
	if Gain(1, 0) != 0 || Gain(1, 4) != 0.25 {
		t.Error("gain")
	}
}
