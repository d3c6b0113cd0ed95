package manuals_test

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/sagasu-search/sagasu/framework/internal/manuals"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// read reads the section at a line of g.md and describes the answer.
func read(t *testing.T, l *manuals.Library, mem *toolset.Session, line int) string {
	t.Helper()
	got, err := l.Read(toolset.WithSession(t.Context(), mem), manuals.ReadArgs{Ref: ref("g.md", line)})
	if err != nil {
		t.Fatal(err)
	}
	if fallback := got.Applied.Mode == "scan_fallback"; fallback != (got.EOF != nil) || fallback && *got.EOF != (got.NextCursor == nil) {
		t.Errorf("unclear end: %+v", got)
	}
	return got.Applied.Mode + ":" + strings.ReplaceAll(got.Text, "\n", "|")
}

func TestReadAgainGoesOn(t *testing.T) {
	l, mem := one(t, map[string]string{"g.md": "# A\na\n## B\nb\n# C\nc\n"}), new(toolset.Session)
	steps := []struct {
		line int
		want string
	}{
		{1, "read:# A|a|## B|b|"},
		{3, "read:## B|b|"},                      // a child is another section
		{2, "scan_fallback:# A|a|## B|b|# C|c|"}, // another line of the same section: it again, and on to the end
		{1, "scan_fallback:# A|a|## B|b|# C|c|"}, // nothing that is asked for is ever left out
		{6, "read:# C|c|"},                       // ends the file
		{5, "scan_fallback:# C|c|"},              // with nothing behind it
		{4, "scan_fallback:## B|b|# C|c|"},       // B is remembered of its own
	}
	for i, s := range steps {
		if got := read(t, l, mem, s.line); got != s.want {
			t.Errorf("step %d: %q, want %q", i, got, s.want)
		}
	}
	if got := read(t, l, nil, 1); got != steps[0].want {
		t.Errorf("without memory: %q", got)
	}
	if got := read(t, l, new(toolset.Session), 3); got != steps[1].want {
		t.Errorf("another session: %q", got)
	}
}

// A long section asked for again begins anew; its cursors go on.
func TestReadAgainOfALongSection(t *testing.T) {
	src := "# A\n" + strings.Repeat("約款の条文\n", 6000)
	l, ctx := one(t, map[string]string{"g.md": src}), toolset.WithSession(t.Context(), new(toolset.Session))
	for _, mode := range []string{"read", "scan_fallback", "scan_fallback"} {
		got, args := "", manuals.ReadArgs{Ref: ref("g.md", 1)}
		for {
			r, err := l.Read(ctx, args)
			if err != nil {
				t.Fatal(err)
			}
			if got == "" && r.Applied.Mode != mode {
				t.Errorf("mode %s, want %s", r.Applied.Mode, mode)
			}
			got += r.Text
			if args.Cursor = r.NextCursor; args.Cursor == nil {
				break
			}
		}
		if got != src {
			t.Errorf("the readings give %d of %d bytes", len(got), len(src))
		}
	}
}

func TestReadAgainOfAnEditedFileStartsAnew(t *testing.T) {
	dir, mem := write(t, map[string]string{"m/g.md": "# A\n# B\n"}), new(toolset.Session)
	l := library(dir)
	read(t, l, mem, 1)
	if err := os.WriteFile(filepath.Join(dir, "m", "g.md"), []byte("# Z\n# B\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if got := read(t, l, mem, 1); got != "read:# Z|" {
		t.Error(got)
	}
}

func TestMemoryIsShared(t *testing.T) {
	l, mem := one(t, map[string]string{"g.md": lines(1, 40, "# S")}), new(toolset.Session)
	var wg sync.WaitGroup
	for part := range 4 {
		wg.Go(func() {
			for line := part*10 + 1; line <= part*10+10; line++ {
				read(t, l, mem, line)
			}
		})
	}
	wg.Wait()
	for line := 1; line < 40; line++ {
		if got := read(t, l, mem, line); !strings.HasPrefix(got, "scan_fallback") {
			t.Errorf("line %d: %s", line, got)
		}
	}
}
