package sdk_test

import (
	"errors"
	"os"
	"testing"

	"github.com/hashicorp/go-hclog"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/sdktest"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

func TestKept(t *testing.T) {
	dir := t.TempDir()
	ctx := sdk.WithSurroundings(t.Context(), hclog.NewNullLogger(), dir)
	first := sdktest.Snapshot(t, sdktest.Section{Heading: "A", Body: "a"})
	second := sdktest.Snapshot(t, sdktest.Section{Heading: "A", Body: "b"})
	computed := 0
	kept := func(snap *snapshot.Snapshot, of string) string {
		data, err := sdk.Kept(ctx, snap, of, func() ([]byte, error) {
			computed++
			return []byte(of + snap.Source(0, snapshot.FieldBody)), nil
		})
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	for i, step := range []struct {
		snap     *snapshot.Snapshot
		of, want string
		computed int
	}{
		{first, "v1 ", "v1 a", 1}, {first, "v1 ", "v1 a", 1}, // kept
		{first, "v2 ", "v2 a", 2},                              // another computation
		{second, "v1 ", "v1 b", 3}, {second, "v1 ", "v1 b", 3}, // another corpus, of which the file replaces the first's
		{first, "v2 ", "v2 a", 3}, {first, "v1 ", "v1 a", 4},
	} {
		if got := kept(step.snap, step.of); got != step.want || computed != step.computed {
			t.Errorf("step %d: %q, computed %d times, want %q, %d", i+1, got, computed, step.want, step.computed)
		}
	}
	if files, err := os.ReadDir(dir); err != nil || len(files) != 2 {
		t.Errorf("left are %v, %v", files, err)
	}
	wrong := errors.New("no model")
	if _, err := sdk.Kept(ctx, first, "v3", func() ([]byte, error) { return nil, wrong }); !errors.Is(err, wrong) {
		t.Errorf("the error is %v", err)
	}
	computed = 0
	ctx = t.Context() // without a state directory nothing is kept
	if kept(first, "v1 "); kept(first, "v1 ") != "v1 a" || computed != 2 {
		t.Errorf("computed %d times", computed)
	}
}
