package search

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/framework/internal/passage"
	"github.com/sagasu-search/sagasu/sdk/sdktest"
)

func TestCutsAreKept(t *testing.T) {
	large := strings.Repeat("heron\n", cutBytes/6)
	snap := sdktest.Snapshot(t,
		sdktest.Section{Path: "a.json", Line: 1, Body: "{\"birds\": \"heron heron\"}\n"},
		sdktest.Section{Path: "b.md", Heading: "b", Line: 1, Body: large},
	)
	var kept cuts
	ended, end := context.WithCancel(t.Context())
	end()
	of := func(ctx context.Context, id uint32) (*cut, error) {
		sec, _ := snap.Section(id)
		return kept.of(ctx, snap, sec)
	}
	if _, err := of(ended, 0); !errors.Is(err, context.Canceled) {
		t.Errorf("cutting after the end of a search: %v", err)
	}
	small, err := of(t.Context(), 0)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := of(ended, 0); again != small || err != nil {
		t.Errorf("a section was cut twice, %v", err)
	}
	if _, err := of(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	if again, err := of(t.Context(), 0); again == small || err != nil || kept.bytes > cutBytes {
		t.Errorf("%d bytes are kept, %v", kept.bytes, err)
	}
}

// Searches that cut a section at the same time keep it once.
func TestASectionIsKeptOnce(t *testing.T) {
	var kept cuts
	key, _ := kept.get(true, "", "{}")
	kept.put(key, &cut{})
	if kept.put(key, &cut{}); kept.bytes != key.size {
		t.Errorf("%d bytes of one section of %d", kept.bytes, key.size)
	}
}

// A piece has a word if its own text does. What stands above it counts then.
func TestPiecesThatHaveWords(t *testing.T) {
	filler := strings.Repeat("owl ", 300)
	snap := sdktest.Snapshot(t, sdktest.Section{Path: "a.json", Line: 1, Body: "{\"heron\": {\n\"x\": \"" + filler + "\",\n\"y\": \"" +
		strings.Repeat("gull ", 300) + "\",\n\"z\": \"" + filler + "\"\n}}\n"})
	sec, _ := snap.Section(0)
	cut, err := new(cuts).of(t.Context(), snap, sec)
	if err != nil {
		t.Fatal(err)
	}
	most := map[string]int{}
	for _, held := range cut.holding(passage.Words{"heron": 1, "gull": 1}) {
		for word, n := range held {
			most[word] = max(most[word], n)
		}
		if held["gull"] > 0 && held["heron"] == 0 {
			t.Errorf("gulls without the heron above them: %v", held)
		}
	}
	if diff := cmp.Diff(map[string]int{"heron": 1, "gull": 203}, most); diff != "" {
		t.Error(diff)
	}
	for i, held := range cut.holding(passage.Words{"heron": 1}) {
		if i > 0 {
			t.Errorf("piece %d has herons only above it: %v", i, held)
		}
	}
}
