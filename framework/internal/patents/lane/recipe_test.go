package lane

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

func TestARecipeMakesTheRunAgain(t *testing.T) {
	d := desk(t, t.TempDir(), cells())
	recall, semantic := keep(t, d, "fulltext_recall", "JP1", "JP3", "JP5"), keep(t, d, "semantic", "JP9", "JP5")
	if _, err := d.Register(t.Context(), "me", RegisterRequest{PubIDs: []string{"JP9"}, Category: "A"}); err != nil {
		t.Fatal(err)
	}
	half := 0.5
	base := blend(t, d, tuned(), recall, semantic)
	tunedRun, err := d.Mutate(t.Context(), "me", MutateRequest{BaseRunID: base.RunID, Delta: Delta{Beta: &half}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.Register(t.Context(), "me", RegisterRequest{PubIDs: []string{"JP9"}, Category: "C"}); err != nil {
		t.Fatal(err)
	}
	recipe, err := d.Recipe("me", tunedRun.RunID)
	if err != nil {
		t.Fatal(err)
	}
	var runs []*Run
	for _, lane := range recipe.Lanes {
		if lane.Request.Query != "電池 AND 監視" {
			t.Errorf("the request of %s is %+v", lane.RunID, lane.Request)
		}
		r, err := d.Run("me", lane.RunID)
		if err != nil {
			t.Fatal(err)
		}
		runs = append(runs, r)
	}
	docs, err := d.FuseAgain(t.Context(), recipe, runs)
	if diff := cmp.Diff(recipe.Docs, docs); err != nil || diff != "" {
		t.Error(err, diff)
	}
	if _, err := d.FuseAgain(t.Context(), recipe, runs[:1]); err == nil {
		t.Error("a run is missing, and nobody says so")
	}
}

func TestTheRecipeOfALane(t *testing.T) {
	d := desk(t, t.TempDir(), cells())
	id := keep(t, d, "fulltext", "JP1")
	got, err := d.Recipe("me", id)
	if err != nil || got.Fusion != nil || len(got.Lanes) != 1 || got.Lanes[0].RunID != id {
		t.Errorf("%+v, %v", got, err)
	}
	if _, err := d.FuseAgain(t.Context(), got, nil); err == nil {
		t.Error("a lane's run was fused")
	}
	_, err = d.Recipe("me", "x")
	refused(t, err, toolset.RunNotFound, "run_id")
}
