//go:build soak

package index

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"strconv"
	"strings"
	"testing"
)

// TestGrowth builds the largest indexes that are promised, each in less than 1.5 GB.
func TestGrowth(t *testing.T) {
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(896 << 20)) // as the command line does
	for name, fill := range map[string]func(b *bench) (sections int){
		"8 million headings in a file": func(b *bench) int {
			b.write("m/a.md", strings.Repeat("# a\n", 8_000_000))
			return 8_000_000
		},
		"2,000 levels of folders": func(b *bench) int {
			root, err := os.OpenRoot(b.root)
			for i := 0; i < 2000 && err == nil; i++ {
				if err = root.Mkdir("d", 0o700); err == nil {
					root, err = root.OpenRoot("d")
				}
				if err == nil {
					err = root.WriteFile("a.md", fmt.Appendf(nil, "# %d\n", i), 0o600)
				}
			}
			if err != nil {
				b.Fatal(err)
			}
			return 2000
		},
		"300,000 files": func(b *bench) int {
			for i := range 300_000 {
				b.write(fmt.Sprintf("m/%d/%d.md", i/1000, i), fmt.Sprintf("# %d\n", i))
			}
			return 300_000
		},
	} {
		t.Run(name, func(t *testing.T) {
			b := &bench{t, filepath.Join(t.TempDir(), "manuals"), filepath.Join(t.TempDir(), "index")}
			if err := os.Mkdir(b.root, 0o700); err != nil {
				t.Fatal(err)
			}
			want := fill(b)
			debug.FreeOSMemory()
			_ = os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) // the peak counts from here
			r, err := b.open().Build(t.Context())
			if err != nil || r.Sections != want {
				t.Fatalf("%d sections, %v", r.Sections, err)
			}
			status, _ := os.ReadFile("/proc/self/status")
			m := regexp.MustCompile(`VmHWM:\s+([0-9]+) kB`).FindSubmatch(status)
			if m == nil {
				t.Skip("the system does not say how much memory was used")
			}
			peak, _ := strconv.Atoi(string(m[1]))
			if t.Logf("%d MB at most", peak>>10); peak > 1_500_000_000>>10 {
				t.Errorf("%d KiB of memory", peak)
			}
		})
	}
}
