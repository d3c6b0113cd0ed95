package snapshot

import (
	"runtime"
	"testing"
)

// TestManySections limits the number of bytes that a Writer of short sections keeps for each.
func TestManySections(t *testing.T) {
	if testing.Short() {
		t.Skip("nothing runs at once")
	}
	const sections = 200_000
	held := func() int {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return int(m.HeapAlloc)
	}
	w := NewWriter(ManualSchema(KindManual))
	before := held()
	w.AddFile(File{Group: "m", Path: "a.md"})
	for i := range sections {
		w.Add(Section{Title: "a", Start: i + 1, End: i + 1, OwnEnd: i + 1, Body: i + 2, Parent: None}, []string{"a", "", ""})
	}
	w.finish()
	if per := (held() - before) / sections; per > 90 {
		t.Errorf("%d bytes per section are held", per)
	} else {
		t.Log(per)
	}
	runtime.KeepAlive(w)
}
