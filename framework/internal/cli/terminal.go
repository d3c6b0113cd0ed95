package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"golang.org/x/term"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/index"
	"github.com/sagasu-search/sagasu/framework/internal/search"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// output is standard output that remembers the first failure: half an answer must not pass for a complete one.
type output struct {
	file *os.File
	err  error
}

// Fd lets callers recognise a terminal.
func (o *output) Fd() uintptr { return o.file.Fd() }

func (o *output) Write(p []byte) (int, error) {
	n, err := o.file.Write(p)
	if o.err == nil {
		o.err = err
	}
	return n, err
}

// readArgument reads the file that an argument names, of at most most bytes; "-" means in.
func readArgument(in io.Reader, name string, most int64) ([]byte, error) {
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		in = f
	}
	raw, err := io.ReadAll(io.LimitReader(in, most+1))
	if err == nil && int64(len(raw)) > most {
		err = fmt.Errorf("%s is larger than %d bytes", name, most)
	}
	return raw, err
}

// style colours text for a terminal, or leaves it unchanged.
type style struct{ on bool }

// styleFor uses colours only on a terminal, and not if NO_COLOR is set.
func styleFor(w io.Writer) style {
	return style{on: os.Getenv("NO_COLOR") == "" && onTerminal(w)}
}

func (s style) paint(code, text string) string {
	if !s.on || text == "" {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

func (s style) bold(text string) string  { return s.paint("1", text) }
func (s style) faint(text string) string { return s.paint("2", text) }
func (s style) path(text string) string  { return s.paint("36", text) }
func (s style) match(text string) string { return s.paint("1;33", text) }

// line colours a place in a file as PATH:LINE.
func (s style) line(path string, n int) string { return s.path(plain(fmt.Sprintf("%s:%d", path, n))) }

// plain makes control characters visible: the text of a manual must not control the terminal of whoever searches it.
func plain(text string) string {
	return toolset.Harmless(oneLine.Replace(text), "")
}

var oneLine = strings.NewReplacer("\n", " ", "\r", " ", "\t", " ")

// snippet puts a snippet on one line with its matches coloured, or in brackets without colour.
func (s style) snippet(sn search.Snippet) string {
	var b strings.Builder
	at := 0
	for _, m := range sn.Marks {
		b.WriteString(plain(sn.Text[at:m[0]]))
		if s.on {
			b.WriteString(s.match(plain(sn.Text[m[0]:m[1]])))
		} else {
			b.WriteString("[" + plain(sn.Text[m[0]:m[1]]) + "]")
		}
		at = m[1]
	}
	b.WriteString(plain(sn.Text[at:]))
	return strings.Join(strings.Fields(b.String()), " ")
}

// onTerminal reports whether w is a terminal.
func onTerminal(w io.Writer) bool {
	f, ok := w.(interface{ Fd() uintptr })
	return ok && term.IsTerminal(int(f.Fd()))
}

// redraw is the minimum time between two updates of a progress line.
const redraw = 100 * time.Millisecond

// reline is the minimum time between two progress lines in a log.
const reline = 10 * time.Second

// stepProgress shows the progress of each step with the time left, on one line of a terminal, which done removes. In a
// log it writes a line every few seconds instead.
func stepProgress(w io.Writer) (show func(step string, n, total int), done func()) {
	if !onTerminal(w) {
		return stepLines(w, time.Tick(reline)), func() {}
	}
	const clear = "\r\x1b[K"
	var shown string
	var first int
	var begun, drawn time.Time
	return func(step string, n, total int) {
			now, left := time.Now(), ""
			if step != shown {
				shown, first, begun = step, n, now
			} else if now.Sub(drawn) < redraw {
				return
			}
			drawn = now
			if did := n - first; did > 0 && n < total {
				each := now.Sub(begun) / time.Duration(did)
				left = fmt.Sprintf(", %s left", (each * time.Duration(total-n)).Round(time.Second))
			}
			fmt.Fprintf(w, "%s%s %d/%d%s", clear, step, n, total, left)
		}, func() {
			if shown != "" {
				fmt.Fprint(w, clear)
			}
		}
}

// stepLines writes a line when a tick has come.
func stepLines(w io.Writer, ticks <-chan time.Time) func(step string, n, total int) {
	return func(step string, n, total int) {
		select {
		case <-ticks:
			fmt.Fprintf(w, "%s %d/%d\n", step, n, total)
		default:
		}
	}
}

// progressOf shows the progress of some work: as bars on a terminal, otherwise as a line per phase. Its lines begin
// with before.
func progressOf(w io.Writer, before string) (report func(index.Progress), done func()) {
	var mu sync.Mutex
	var phase index.Phase
	show, end := stepProgress(w)
	watched := onTerminal(w)
	report = func(p index.Progress) {
		mu.Lock()
		defer mu.Unlock()
		switch {
		case watched:
			show(before+string(p.Phase), p.Done, max(p.Total, 1))
		case p.Phase != phase:
			phase = p.Phase
			fmt.Fprintf(w, "%s%s\n", before, phase)
		}
	}
	return report, func() {
		mu.Lock()
		defer mu.Unlock()
		end()
	}
}

func printWarnings(w io.Writer, warnings []string) (err error) {
	for _, warning := range warnings {
		_, failed := fmt.Fprintln(w, "warning:", plain(warning))
		err = errors.Join(err, failed)
	}
	return err
}

func printSkipped(w io.Writer, files []toolset.Skip) {
	for _, x := range files {
		fmt.Fprintf(w, "skipped %s: %s\n", plain(x.Place()), plain(x.Reason))
	}
}

// rate shows a share, or a dash if there is none.
func rate(share *float64) string {
	if share == nil {
		return "-"
	}
	return fmt.Sprintf("%.3f", *share)
}

func percent(share float64) string { return fmt.Sprintf("%.1f %%", 100*share) }

// table prints tables below each other, with or without titles. It omits tables without rows.
type table struct {
	w io.Writer

	title  string
	header []string
	rows   [][]string
	err    error
}

func (t *table) begin(title string, header ...string) {
	t.err = t.end()
	t.title, t.header = title, header
}

func (t *table) row(cells ...string) {
	if len(t.rows) == 0 && len(t.header) > 0 {
		t.rows = append(t.rows, t.header)
	}
	t.rows = append(t.rows, cells)
}

// end prints the rest and returns the first error.
func (t *table) end() error {
	if len(t.rows) == 0 || t.err != nil {
		return t.err
	}
	var b strings.Builder
	if t.title != "" {
		fmt.Fprintf(&b, "\n%s\n", styleFor(t.w).bold(t.title))
	}
	columns := map[int]int{}
	for _, r := range t.rows {
		for i, cell := range r {
			columns[i] = max(columns[i], corpus.Columns(plain(cell))+2)
		}
	}
	for _, r := range t.rows {
		line := ""
		for i, cell := range r {
			cell = plain(cell)
			line += cell + strings.Repeat(" ", columns[i]-corpus.Columns(cell))
		}
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	t.rows = nil
	_, t.err = io.WriteString(t.w, b.String())
	return t.err
}
