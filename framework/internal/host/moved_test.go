package host

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// TestIndexDirectoryReplaced has the strategy search a snapshot in a directory
// that was made after it was started.
func TestIndexDirectoryReplaced(t *testing.T) {
	o := options(t, "actor")
	o.IndexDir = filepath.Join(t.TempDir(), "index")
	must(t, os.Mkdir(o.IndexDir, 0o700))
	h, snap := start(t, o)
	before := ask(t, h, snap, "pid")
	if err := os.RemoveAll(o.IndexDir); err != nil {
		t.Skipf("a directory in use cannot be removed here: %v", err)
	}
	if got := ask(t, h, snap, "pid"); got != before {
		t.Error("while there is no directory, what has the old snapshot open was replaced")
	}
	must(t, os.Mkdir(o.IndexDir, 0o700))
	next := publish(t, o.IndexDir, 20)
	if next.Name() != snap.Name() {
		t.Fatalf("the new snapshot is called %s: take another test", next.Name())
	}
	res, err := h.Search(t.Context(), "actor", request(next, "find"))
	must(t, err)
	if len(res.Candidates) != 20 {
		t.Errorf("%d candidates of 20", len(res.Candidates))
	}
	after := ask(t, h, next, "pid")
	if after == before || ask(t, h, next, "pid") != after {
		t.Errorf("processes %s, then %s", before, after)
	}
	if st := h.Status()[0]; st.Failures != 0 || st.LastError != "" || st.Restarts != 1 {
		t.Errorf("status %+v", st)
	}
}

// TestStartedWithoutIndexDirectory has a directory come after the process.
func TestStartedWithoutIndexDirectory(t *testing.T) {
	o := options(t, "actor")
	o.IndexDir = filepath.Join(t.TempDir(), "index")
	must(t, os.Mkdir(o.IndexDir, 0o700))
	h, snap := start(t, o)
	if err := os.RemoveAll(o.IndexDir); err != nil {
		t.Skipf("a directory in use cannot be removed here: %v", err)
	}
	settle(t, h)
	if _, err := h.Search(t.Context(), "actor", request(snap, "find")); err == nil || errors.Is(err, ErrStarting) {
		t.Errorf("a snapshot that is gone gave %v", err)
	}
	must(t, os.Mkdir(o.IndexDir, 0o700))
	res, err := h.Search(t.Context(), "actor", request(publish(t, o.IndexDir, 3), "find"))
	must(t, err)
	if len(res.Candidates) != 3 {
		t.Errorf("%d candidates of 3", len(res.Candidates))
	}
}

// TestSegmentCutWhileMapped costs the strategy that query, not its process.
func TestSegmentCutWhileMapped(t *testing.T) {
	o := options(t, "actor")
	h, snap := start(t, o)
	before := ask(t, h, snap, "pid")
	if got := ask(t, h, snap, "text"); got != "body" {
		t.Fatalf("it read %q", got)
	}
	file := snapshot.SegmentFile(snap.Name())
	if err := os.Truncate(filepath.Join(o.IndexDir, file), 0); err != nil {
		t.Skipf("a mapped file cannot be cut here: %v", err)
	}
	if _, err := h.Search(t.Context(), "actor", request(snap, "text")); err == nil || !strings.Contains(err.Error(), file+" is damaged") {
		t.Errorf("the loss of its memory gave %v", err)
	}
	next := publish(t, o.IndexDir, 10)
	if got := ask(t, h, next, "text"); got != "body" {
		t.Errorf("of the next snapshot it read %q", got)
	}
	if after := ask(t, h, next, "pid"); after != before {
		t.Error("the process was replaced")
	}
}
