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

// stepProgress draws a bar for each step of some work, with the time that is left; show is nil
// where nobody watches. done ends the last bar.
func stepProgress(w io.Writer) (show func(step string, n, total int), done func()) {
	if !onTerminal(w) {
		return nil, func() {}
	}
	var bar *progressbar.ProgressBar
	shown := ""
	done = func() {
		if bar != nil {
			_ = bar.Finish()
		}
	}
	return func(step string, n, total int) {
		if step != shown {
			done()
			shown = step
			bar = progressbar.NewOptions(total, progressbar.OptionSetWriter(w),
				progressbar.OptionSetDescription(step), progressbar.OptionShowCount(),
				progressbar.OptionSetPredictTime(true), progressbar.OptionClearOnFinish())
		}
		_ = bar.Set(n)
	}, done
}

// progressOf shows how far some work is: by bars on a terminal, else by a line per phase.
func progressOf(w io.Writer, work string) (report func(index.Progress), done func()) {
	var mu sync.Mutex
	var phase index.Phase
	show, end := stepProgress(w)
	report = func(p index.Progress) {
		mu.Lock()
		defer mu.Unlock()
		switch {
		case show != nil:
			show(work+": "+string(p.Phase), p.Done, max(p.Total, 1))
		case p.Phase != phase:
			phase = p.Phase
			fmt.Fprintf(w, "%s: %s\n", work, phase)
		}
	}
	return report, func() {
		mu.Lock()
		defer mu.Unlock()
		end()
	}
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
