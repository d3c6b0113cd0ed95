package toolset

import "testing"

func TestCounted(t *testing.T) {
	for n, want := range map[int]string{0: "0 lanes", 1: "1 lane", 2: "2 lanes"} {
		if got := Counted(n, "lane"); got != want {
			t.Errorf("%d: %q", n, got)
		}
	}
}
