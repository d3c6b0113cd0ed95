package index

import (
	"maps"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// TestArea compares with a climb from the path to its folders.
func TestArea(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		anyPath := rapid.Custom(func(t *rapid.T) string {
			names := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "a-", "a.md", "b", "-"}), 1, 4)
			return strings.Join(names.Draw(t, "names"), "/")
		})
		paths := map[string]bool{}
		for _, p := range rapid.SliceOfN(anyPath, 0, 6).Draw(t, "paths") {
			paths[p] = true
		}
		a, asked := newArea(maps.Keys(paths)), anyPath.Draw(t, "asked")
		want := false
		for p := asked; p != "."; p = path.Dir(p) {
			want = want || paths[p]
		}
		if got := a.covers(asked); got != want {
			t.Fatalf("%q covers %q: %t", a, asked, got)
		}
		for p := range paths {
			inside := a.below(asked).covers(strings.TrimPrefix(p, asked+"/"))
			if strings.HasPrefix(p, asked+"/") && !inside {
				t.Fatalf("%q below %q does not hold %q", a, asked, p)
			}
		}
		for _, p := range a {
			if slices.ContainsFunc(a, func(q string) bool { return q != p && strings.HasPrefix(p, q) }) {
				t.Fatalf("%q lies below another of %q", p, a)
			}
		}
	})
}

func TestAreaEdges(t *testing.T) {
	all, none := area{""}, area(nil)
	if !all.covers("") || !all.covers("a/b") || none.covers("") || none.covers("a") || (area{"a/"}).covers("") {
		t.Error("all, none or one path covers what it should not")
	}
	whole := newArea(slices.Values([]string{"/m/a/x.md", "/m/b", "/m/a"}))
	if diff := cmp.Diff([]string{"a", "b"}, whole.below("/m").paths()); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{""}, whole.below("/m/b/c").paths()); diff != "" {
		t.Error(diff)
	}
}
