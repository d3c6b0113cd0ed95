package rootfs_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/sagasu-search/sagasu/framework/internal/rootfs"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

func TestClean(t *testing.T) {
	tests := []struct{ name, path, want string }{
		{"plain", "guide/setup.md", "guide/setup.md"},
		{"backslashes", `guide\sub\a.md`, "guide/sub/a.md"},
		{"surrounding space", " \tguide/a b.md \n", "guide/a b.md"},
		{"dots and doubled slashes", "./guide/.//./a.md/", "guide/a.md"},
		{"space behind a dot", "./ a.md /.", "a.md"},
		{"dots in names", "a..b/...md", "a..b/...md"},
		{"two colons", "a::b.md", "a::b.md"},
		{"japanese", "手引/約款.md", "手引/約款.md"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := rootfs.Clean("path", tt.path)
			if err != nil || got != tt.want {
				t.Errorf("Clean(%q) = %q, %v; want %q", tt.path, got, err, tt.want)
			}
		})
	}
}

func TestCleanRefuses(t *testing.T) {
	for _, path := range []string{
		"", "  ", ".", "./.", "/etc/passwd", `\\server\share`, `C:\a`, "c:a.md", "c:", "./C:/a", "./ /a",
		"a\x00b", "a\nb", "a\u0085b", "../a", "a/../b", `a\..\b`, "..", "a\xffb",
	} {
		got, err := rootfs.Clean("from_path", path)
		if err == nil {
			t.Errorf("Clean(%q) = %q, want an error", path, got)
			continue
		}
		if err.Code != toolset.InvalidPath || err.Details["parameter"] != "from_path" || err.Details["got"] != path {
			t.Errorf("Clean(%q): %v %v", path, err, err.Details)
		}
	}
}

func TestCleanIsIdempotent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		checkClean(t, rapid.StringOf(rapid.SampledFrom([]rune("ab./\\ :C約\n"))).Draw(t, "path"))
	})
}

func FuzzClean(f *testing.F) {
	for _, seed := range []string{"a/b", `..\a`, "C:/x", " ./ a /. ", "\x00", "約款/.md"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, path string) { checkClean(t, path) })
}

// checkClean checks what Clean guarantees for any input.
func checkClean(t interface{ Fatalf(string, ...any) }, path string) {
	got, err := rootfs.Clean("path", path)
	if err != nil {
		return
	}
	if again, err := rootfs.Clean("path", got); err != nil || again != got {
		t.Fatalf("Clean(%q) = %q, but Clean of that = %q, %v", path, got, again, err)
	}
	if long, err := rootfs.Clean("path", "./"+got); err != nil || long != got { // one that must be cleaned
		t.Fatalf("Clean(%q) = %q, but Clean of that with ./ = %q, %v", path, got, long, err)
	}
	if !fsValid(got) {
		t.Fatalf("Clean(%q) = %q, which is no path below a root", path, got)
	}
}

func TestRoundTrips(t *testing.T) {
	for path, want := range map[string]bool{
		"a b.md": true, "約款.md": true, "c::x": true, "sub/a:b.md": true, ".a": true,
		"a\nb.md": false, `a\b.md`: false, "a.md ": false, " a.md": false, "dir /a.md": false, "dir/\u3000a.md": false,
		"a:b.md": false, "a\xff.md": false, "a\x00": false, "": false, "a/../b": false, "a//b": false,
	} {
		if got := rootfs.RoundTrips(path); got != want || want != (rootfs.Unaskable(path) == "") {
			t.Errorf("RoundTrips(%q) = %t: %s", path, got, rootfs.Unaskable(path))
		}
	}
}

// TestUnaskableIn compares it with Unaskable on whole paths.
func TestUnaskableIn(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.StringOfN(rapid.SampledFrom([]rune("a \\:C約\n\xff")), 1, 4, -1)
		dir, file := rapid.SliceOfN(name, 0, 2).Draw(t, "dir"), name.Draw(t, "name")
		above := strings.Join(dir, "/")
		if above != "" && !rootfs.RoundTrips(above) {
			t.Skip("the folder cannot be asked for")
		}
		want := rootfs.Unaskable(strings.Join(append(dir, file), "/"))
		if got := rootfs.UnaskableIn(above, file); got != want {
			t.Errorf("%q in %q: %q, want %q", file, above, got, want)
		}
	})
}

// A walk of deep folders does not take their paths apart again: allocations do not grow with the paths. A busy machine
// allocates a little besides.
func TestCleanPathsCostNothing(t *testing.T) {
	path := strings.Repeat("約款/", 500) + "a.md"
	if n := testing.AllocsPerRun(10, func() { _, _ = rootfs.Clean("path", path) }); n > 10 {
		t.Errorf("%v allocations", n)
	}
}

func TestKey(t *testing.T) {
	if a, b := rootfs.Key(".System/ガイド"), rootfs.Key(".sYSTEM/カ\u3099イト\u3099"); a != b {
		t.Errorf("keys differ: %q and %q", a, b)
	}
	if rootfs.Key("a") == rootfs.Key("b") {
		t.Error("different names share a key")
	}
}
