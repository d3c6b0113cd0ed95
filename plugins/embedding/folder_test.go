package embedding

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/sagasu-search/sagasu/sdk"
)

// words writes random word vectors. The vectors of a topic's words have similar directions.
func words(t testing.TB) (dir string) {
	t.Helper()
	random := rand.New(rand.NewPCG(3, 4))
	var b strings.Builder
	for i, topic := range topics {
		for word := range strings.FieldsSeq(topic) {
			v := make([]string, 6)
			for d := range v {
				x := random.NormFloat64() / 4
				if d == i {
					x++
				}
				v[d] = fmt.Sprintf("%.4f", x)
			}
			fmt.Fprintf(&b, "%s %s\n", word, strings.Join(v, " "))
		}
	}
	dir = t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "words.vec"), []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestFolderFindsWhatIsAlike(t *testing.T) {
	snap := publish(t, t.TempDir(), 1, sections(300))
	ctx := surroundings(t, t.TempDir())
	s := start(t, fmt.Sprintf(`{"dir":%q}`, words(t)))
	if err := s.Open(ctx, snap); err != nil {
		t.Fatal(err)
	}
	if err := complete(t, ctx, s, snap); err != nil {
		t.Fatal(err)
	}
	aboutCharging(t, snap, find(t, ctx, s, snap, "what about the voltage?"), "voltage")
	if res := find(t, ctx, s, snap, "unheard of"); len(res.Candidates)+len(res.Warnings) > 0 {
		t.Errorf("unknown words find %+v", res)
	}
	empty := start(t, fmt.Sprintf(`{"dir":%q}`, t.TempDir()))
	if err := complete(t, ctx, empty, snap); err == nil {
		t.Error("a folder without a model is a model")
	}
	if res := find(t, ctx, empty, snap, "voltage"); len(res.Warnings) != 1 || !strings.Contains(res.Warnings[0], "neither model.safetensors") {
		t.Errorf("%q", res.Warnings)
	}
}

// TestVeryManySectionsAreSieved compares the best of all sections with the best of those that a sieve leaves.
func TestVeryManySectionsAreSieved(t *testing.T) {
	snap := publish(t, t.TempDir(), 1, sections(600))
	ctx, config := surroundings(t, t.TempDir()), fmt.Sprintf(`{"dir":%q}`, words(t))
	run := func(exact int) []sdk.Candidate {
		s := start(t, config)
		s.exact = exact
		if err := complete(t, ctx, s, snap); err != nil {
			t.Fatal(err)
		}
		res, err := s.Search(ctx, &sdk.Request{Corpus: snap, Query: sdk.Query{Raw: "voltage"}, Limit: 600})
		if err != nil || len(res.Warnings) > 0 || !res.Finished || res.Examined != 600 {
			t.Fatalf("%+v, %v", res, err)
		}
		return res.Candidates
	}
	all, some := run(600), run(599)
	if len(some) < 600/sieved || len(some) >= len(all) {
		t.Errorf("%d of %d sections are left", len(some), len(all))
	}
	if last := all[len(all)-1]; last.Score != 0 || all[0].Score <= 0 || all[0].Score > 1 {
		t.Errorf("scores from %v to %v", all[0].Score, last.Score)
	}
	if diff := cmp.Diff(all[:5], some[:5], cmpopts.IgnoreFields(sdk.Candidate{}, "Score")); diff != "" {
		t.Error(diff)
	}
}
