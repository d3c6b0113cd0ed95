package vault

import (
	pathpkg "path"
	"strings"
	"testing"

	"github.com/sagasu-search/sagasu/framework/internal/rootfs"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

func TestRulesOfPlace(t *testing.T) {
	all := []action{create, grow, overwrite, replace}
	cases := []struct {
		path string
		may  string // first letters of the actions that are permitted
	}{
		{"notes/a.txt", "caor"}, {"a.sh", "caor"}, {"drafts/メモ：会議.md", "caor"}, {"notes/A／B.md", "caor"},
		{"artifacts/a.md", "caor"}, {"artifacts/sub/a.json", "caor"}, {"ARTIFACTS/A.MD", "caor"}, {"ａｒｔｉｆａｃｔｓ/a.md", "caor"},
		{"artifacts/a.txt", ""}, {"artifacts/a", ""}, {"artifacts", ""}, {"Artifacts/a.md.exe", ""}, {"ａｒｔｉｆａｃｔｓ/a.ｔｘｔ", ""},
		{"artifacts/a.md\u200b", ""}, {"arti\u00adfacts/a.txt", ""}, {"artifactſ/a.txt", ""}, {"artifacts／a.txt", ""}, {"artifacts／a.md", ""},
		{"artifacts./a.txt", ""}, {"artifacts /a.txt", ""}, {"artifacts/a.md.", ""}, {"artifacts/a.md:x", ""},
		{"artifacts/daily/2026-01-31.md", "ca"}, {"Artifacts/Daily/2024-02-29.MD", "ca"}, {"artifacts/daily/２０２６-01-31.md", "ca"},
		{"artifacts/daily/2026-02-30.md", ""}, {"artifacts/daily/2025-02-29.md", ""}, {"artifacts/daily/2026-1-31.md", ""},
		{"artifacts/daily/2026-13-01.md", ""}, {"artifacts/daily/0000-01-01.md", ""}, {"artifacts/daily/a.md", ""}, {"artifacts/daily/2026-01-31.json", ""},
		{"artifacts/daily/2026-01-31.md.md", ""}, {"artifacts/daily/2026/2026-01-31.md", ""}, {"artifacts/daily", ""}, {"artifacts/ｄａｉｌｙ/a.md", ""},
		{"artifacts/daily /2026-01-31.md", ""}, {"artifacts/dailyx/a.md", "caor"}, {"notes/daily/a.md", "caor"},
		{".system/a.md", ""}, {".SYSTEM/a.md", ""}, {".ｓystem/a.md", ""}, {"．system/a.md", ""}, {".sys\u200dtem/a.md", ""}, {".system", ""}, {".system./a", ""},
		{"notes/.git/hooks/post-commit", ""}, {".GIT/config", ""}, {"notes/.github/a.md", ""}, {"notes/.a.md", ""}, {"artifacts/.md", ""}, {"artifacts/．hidden.md", ""}, {"notes/node_modules/a.md", ""},
		{"notes/a.", ""}, {"notes/a /b.md", ""}, {"notes/ a.md", ""}, {"notes/a:b.md", ""}, {"notes/\u202egpj.md", ""}, {"notes/a\u2066/b.md", ""}, {"notes/a|b.md", "caor"}, {"notes/.../a.md", ""}, {"notes/．．/a.md", ""},
		{"notes/.sagasu-tmp-1", ""}, {strings.Repeat("a/", 31) + "b.md", "caor"}, {strings.Repeat("a/", 32) + "b.md", ""},
	}
	for _, c := range cases {
		got := ""
		for _, do := range all {
			err := placeOf(c.path).permit(do)
			switch {
			case err == nil:
				got += string(do[0])
			case toolset.AsError(err).Code != toolset.Forbidden:
				t.Errorf("%s %s: %v", do, c.path, err)
			}
		}
		if got != c.may {
			t.Errorf("%s permits %q, want %q", c.path, got, c.may)
		}
	}
}

func TestReservedNamesHaveOneSpelling(t *testing.T) {
	for given, want := range map[string]string{
		"Artifacts/Plan.md": "artifacts/Plan.md", "ａｒｔｉｆａｃｔｓ/DAILY/２０２６-01-31.MD": "artifacts/daily/2026-01-31.md",
		"Drafts/A.md": "Drafts/A.md", "notes/か\u3099.md": "notes/が.md", ".SYSTEM/x": ".system/x",
	} {
		if got := canonical(given); got != want {
			t.Errorf("%s is kept as %s, want %s", given, got, want)
		}
	}
}

// FuzzPlace holds what the rules promise of any path that is clean.
func FuzzPlace(f *testing.F) {
	for _, seed := range []string{"artifacts/daily/2026-01-31.md", "ａrtifacts/x.md", ".system/a", "notes/．．/a", "a/\u200b/b", "ﬀ/ẞ.md", "artifacts／daily/2026-01-01.md"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, path string) {
		cleaned, bad := rootfs.Clean("path", path)
		if bad != nil {
			return
		}
		p := placeOf(cleaned)
		last := canonical(cleaned)
		if again := canonical(last); again != last {
			t.Errorf("canonical of %q is %q, and of that %q", cleaned, last, again)
		}
		if p.permit(overwrite) == nil && p.permit(create) != nil {
			t.Errorf("%q may be overwritten and not made", cleaned)
		}
		if p.permit(create) != nil {
			return
		}
		stored := placeOf(last)
		if stored.zone != p.zone || stored.permit(create) != nil {
			t.Errorf("%q is stored as %q, which other rules hold for", cleaned, last)
		}
		low := strings.ToLower(last)
		if strings.HasPrefix(low, ".system/") || strings.HasPrefix(low, "artifacts/") && !strings.HasSuffix(low, ".md") && !strings.HasSuffix(low, ".json") {
			t.Errorf("%q may be made as %q", cleaned, last)
		}
	})
}

func TestNotesOfLongNamesHaveRoom(t *testing.T) {
	long := strings.Repeat("n", 250)
	paths := []string{"drafts/a.json", "drafts/" + long + ".json", "drafts/" + long + ".JSO"}
	seen := map[string]bool{}
	for _, path := range paths {
		note := noteOf(path).path
		dir, name := pathpkg.Split(note)
		if len(name) > 255 || dir != ".system/provenance/drafts/" || seen[note] {
			t.Errorf("the note of %s is %s", path, note)
		}
		seen[note] = true
	}
	if got := noteOf(paths[0]).path; got != ".system/provenance/drafts/a.json.json" {
		t.Error(got)
	}
}
