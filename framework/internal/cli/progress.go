package cli

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"sync"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	"github.com/sagasu-search/sagasu/framework/internal/index"
)

// onTerminal reports whether a person watches w.
func onTerminal(w io.Writer) bool {
	f, ok := w.(interface{ Fd() uintptr })
	return ok && term.IsTerminal(int(f.Fd()))
}

// progressOf shows how far some work is: a bar on a terminal, else a line per
// phase. It returns nil-safe functions to report and to end.
func progressOf(w io.Writer, work string) (report func(index.Progress), done func()) {
	var mu sync.Mutex
	var bar *progressbar.ProgressBar
	phase := index.Phase("")
	bars := onTerminal(w)
	report = func(p index.Progress) {
		mu.Lock()
		defer mu.Unlock()
		if p.Phase != phase {
			phase = p.Phase
			if !bars {
				fmt.Fprintf(w, "%s: %s\n", work, phase)
				return
			}
			if bar != nil {
				_ = bar.Finish()
			}
			bar = newBar(w, max(p.Total, 1), work+": "+string(phase))
		}
		if bar != nil {
			_ = bar.Set(p.Done)
		}
	}
	return report, func() {
		mu.Lock()
		defer mu.Unlock()
		if bar != nil {
			_ = bar.Finish()
		}
	}
}

// newBar draws a bar of n steps, with the time that is left.
func newBar(w io.Writer, n int, title string) *progressbar.ProgressBar {
	return progressbar.NewOptions(n, progressbar.OptionSetWriter(w), progressbar.OptionSetDescription(title),
		progressbar.OptionShowCount(), progressbar.OptionSetPredictTime(true), progressbar.OptionClearOnFinish())
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
