package repo

import (
	"testing"

	"github.com/bmatcuk/doublestar/v4"
	"pgregory.net/rapid"
)

// TestPreparedPatternsMatchAsGlobs holds that names are left out as their globs say.
func TestPreparedPatternsMatchAsGlobs(t *testing.T) {
	part := rapid.SampledFrom([]string{
		"test_", "_test", "a", "Test", "Tests", ".", "go", "py", "java", "spec", "ts", "tsx", "js", "min", "generated", "gen", "pb", "lock", "go.sum",
		"zz_generated", "package-lock.json", "snap", "map", "bundle", "png", "Designer", "cs", "g", "",
	})
	rapid.Check(t, func(t *rapid.T) {
		base := part.Draw(t, "1") + part.Draw(t, "2") + part.Draw(t, "3") + part.Draw(t, "4") + part.Draw(t, "5")
		for i, n := range names {
			want := false
			for _, p := range n.patterns {
				want = want || doublestar.MatchUnvalidated(p, base)
			}
			if got := named[i].matches(base); got != want {
				t.Fatalf("%s %s: %t, want %t", n.reason, base, got, want)
			}
		}
	})
}
