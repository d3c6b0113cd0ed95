package embedding

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/sdk"
)

// TestSearchWhileVectorsAreMissing stops the service after 256 sections. These are searched, with a warning.
func TestSearchWhileVectorsAreMissing(t *testing.T) {
	snap := publish(t, t.TempDir(), 1, sections(300))
	e, ctx := serve(t, snap), surroundings(t, t.TempDir())
	release := make(chan struct{})
	e.misbehaves(func(sent int, _ http.ResponseWriter, r *http.Request) bool {
		if sent == 256 {
			select {
			case <-release:
			case <-r.Context().Done():
			}
		}
		return false
	})
	s := start(t, e.config())
	progress := func() *sdk.Result { return find(t, ctx, s, snap, "") }
	for deadline := time.Now().Add(time.Minute); progress().Examined < 256; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("nothing is made")
		}
	}
	if p := progress(); p.Examined != 256 || p.Finished {
		t.Errorf("progress %+v", p)
	}
	e.misbehaves(func(sent int, _ http.ResponseWriter, r *http.Request) bool { return false }) // queries are answered
	res := find(t, ctx, s, snap, "voltage")
	aboutCharging(t, snap, res, "voltage")
	if diff := cmp.Diff([]string{"256 of 300 sections have vectors so far"}, res.Warnings); diff != "" {
		t.Error(diff)
	}
	close(release)
	if err := complete(t, ctx, s, snap); err != nil {
		t.Fatal(err)
	}
	if res := find(t, ctx, s, snap, "voltage"); len(res.Warnings) > 0 {
		t.Error(res.Warnings)
	}
	if p := progress(); p.Examined != 300 || !p.Finished {
		t.Errorf("progress %+v", p)
	}
}

// TestBuildingIsResumed makes the service refuse after 256 sections. What was paid for is searched, kept, and not
// requested again.
func TestBuildingIsResumed(t *testing.T) {
	snap := publish(t, t.TempDir(), 1, sections(300))
	e, ctx := serve(t, snap), surroundings(t, t.TempDir())
	e.misbehaves(func(sent int, w http.ResponseWriter, r *http.Request) bool {
		if sent == 256 {
			w.WriteHeader(http.StatusPaymentRequired)
		}
		return sent == 256
	})
	s := start(t, e.config())
	if err := complete(t, ctx, s, snap); err == nil {
		t.Fatal("the refusal is not reported")
	}
	e.misbehaves(nil)
	res := find(t, ctx, s, snap, "voltage")
	aboutCharging(t, snap, res, "voltage")
	want := []string{"256 of 300 sections have vectors only; the embedding service: the service answered 402"}
	if len(res.Warnings) != 1 || !strings.HasPrefix(res.Warnings[0], want[0]) {
		t.Errorf("%q", res.Warnings)
	}
	if _, err := s.Search(ctx, &sdk.Request{Corpus: snap, Limit: 1}); err == nil || !strings.Contains(err.Error(), "402") {
		t.Errorf("progress after a failure: %v", err)
	}
	s.buildings[0].ended = time.Now().Add(-retryAfter) // the next search tries again
	find(t, ctx, s, snap, "voltage")
	if err := complete(t, ctx, s, snap); err != nil {
		t.Fatal(err)
	}
	if n := len(e.sent()); n != 300+2 {
		t.Errorf("%d texts were sent for 300 sections and two queries", n)
	}
}

// TestANewSnapshotEndsTheBuildingOfTheLast also checks that a search on the old snapshot does not end the new building.
func TestANewSnapshotEndsTheBuildingOfTheLast(t *testing.T) {
	index, all := t.TempDir(), sections(300)
	first := publish(t, index, 1, all)
	e, ctx := serve(t, first), surroundings(t, t.TempDir())
	e.misbehaves(func(_ int, _ http.ResponseWriter, r *http.Request) bool { <-r.Context().Done(); return true })
	s := start(t, e.config())
	old := s.building(ctx, first)
	all[0].Body = "rim"
	second := publish(t, index, 2, all)
	b := s.building(ctx, second)
	<-old.done
	_, _ = s.Search(ctx, &sdk.Request{Corpus: first, Query: sdk.Query{Raw: "voltage"}, Limit: 9})
	select {
	case <-b.done:
		t.Error("the search on the old snapshot ended the building for the new one")
	default:
	}
}
