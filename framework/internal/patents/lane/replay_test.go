package lane

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

func TestAFusionIsMadeAgainWithItsRepresentatives(t *testing.T) {
	d := testEngine(t, t.TempDir(), cells())
	recall, semantic := keep(t, d, "fulltext_recall", "JP1", "JP3", "JP5"), keep(t, d, "semantic", "JP9", "JP5")
	if _, err := d.Register(t.Context(), RegisterRequest{PubIDs: []string{"JP9"}, Category: "A"}); err != nil {
		t.Fatal(err)
	}
	half := 0.5
	base := blend(t, d, tuned(), recall, semantic)
	tunedRun, err := d.Mutate(t.Context(), MutateRequest{BaseRunID: base.RunID, Delta: Delta{Beta: &half}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.Register(t.Context(), RegisterRequest{PubIDs: []string{"JP9"}, Category: "C"}); err != nil {
		t.Fatal(err)
	}
	fused, err := d.Run(t.Context(), tunedRun.RunID)
	if err != nil {
		t.Fatal(err)
	}
	var runs []*Run
	for _, id := range fused.lanes() {
		r, err := d.Run(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		runs = append(runs, r)
	}
	docs, err := d.fuseAgain(t.Context(), fused.Fusion, runs)
	if diff := cmp.Diff(fused.Docs, docs); err != nil || diff != "" || len(runs) != 2 {
		t.Error(err, diff)
	}
	_, err = d.Replay(t.Context(), "x")
	refused(t, err, toolset.RunNotFound, "run_id")
}
