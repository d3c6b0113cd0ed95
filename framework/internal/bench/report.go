package bench

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"os"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/sagasu-search/sagasu/framework/internal/eval"
)

// Report is the result of a run.
type Report struct {
	Machine string
	Load    [2]string // load averages before and after, if the system has them
	Data    string    // what was measured
	Method  string
	Lines   []Line
	// Notes list the peers, and what was not measured and why.
	Notes []string
}

// Line is one figure.
type Line struct {
	Part  string // heading of related figures
	Name  string
	Value float64
	Unit  string // "ms", "s", "MB" (10⁶ bytes), "×"; "" for a score
	// Bar is the bound that the figure must keep, or "".
	Bar    string
	Missed bool
	Note   string
}

// Missed returns the lines that do not keep their bar.
func (r *Report) Missed() []Line {
	return slices.DeleteFunc(slices.Clone(r.Lines), func(l Line) bool { return !l.Missed })
}

// WriteMarkdown writes the report as a Markdown table.
func (r *Report) WriteMarkdown(out io.Writer) error {
	w := bufio.NewWriter(out)
	fmt.Fprintf(w, "%s; load average %s before, %s after\n%s\n\n", r.Machine, r.Load[0], r.Load[1], r.Data)
	fmt.Fprint(w, "| | figure | bar | |\n|---|---|---|---|\n")
	part := ""
	for _, l := range r.Lines {
		if l.Part != part {
			part = l.Part
			fmt.Fprintf(w, "| **%s** | | | |\n", part)
		}
		fmt.Fprintf(w, "| %s | %s | %s | %s |\n", l.Name, l.figure(), l.verdict(), l.Note)
	}
	fmt.Fprintln(w)
	for _, note := range append(r.Notes, "method: "+r.Method) {
		fmt.Fprintf(w, "- %s\n", note)
	}
	return w.Flush()
}

func (l *Line) figure() string {
	digits := 3
	switch {
	case l.Unit == "":
		return fmt.Sprintf("%.4f", l.Value)
	case l.Value >= 100:
		digits = 0
	case l.Value >= 10:
		digits = 1
	}
	return fmt.Sprintf("%.*f %s", digits, l.Value, l.Unit)
}

// verdict returns the bar and whether the figure keeps it.
func (l *Line) verdict() string {
	switch {
	case l.Bar == "":
		return ""
	case l.Missed:
		return l.Bar + ": MISSED"
	}
	return l.Bar + ": kept"
}

// part collects the lines of one part of a report.
type part struct {
	report *Report
	name   string
}

func (r *Report) part(name string) part { return part{r, name} }

// add adds a figure and returns its line, which is valid until the next one is added.
func (p part) add(name string, value float64, unit string) *Line {
	p.report.Lines = append(p.report.Lines, Line{Part: p.name, Name: name, Value: value, Unit: unit})
	return &p.report.Lines[len(p.report.Lines)-1]
}

func (p part) ms(name string, d time.Duration) *Line { return p.add(name, milliseconds(d), "ms") }

func (p part) seconds(name string, d time.Duration) *Line { return p.add(name, d.Seconds(), "s") }

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

func (p part) median(name string, t times) *Line { return p.ms(name+", median", t.median()) }

func (p part) p95(name string, t times) *Line { return p.ms(name+", p95", t.p95()) }

// faster adds how many times faster we are than a peer, by medians.
func (p part) faster(peer string, ours, theirs times, bar float64) {
	l := p.add("sagasu faster than "+peer, float64(theirs.median())/float64(ours.median()), "×")
	if peer == bleve {
		l.atLeast(bar)
	}
}

func (l *Line) atLeast(x float64) { l.Bar, l.Missed = fmt.Sprintf("≥ %.4g", x), l.Value < x }

func (l *Line) atMost(x float64) *Line {
	l.Bar, l.Missed = fmt.Sprintf("≤ %.4g", x), l.Value > x
	return l
}

// times are the durations of repeated measurements.
type times []time.Duration

func (t times) median() time.Duration { return eval.Percentile(t, 0.5) }
func (t times) p95() time.Duration    { return eval.Percentile(t, 0.95) }

// less returns the differences from other times of the same queries.
func (t times) less(other times) times {
	out := make(times, len(t))
	for i := range t {
		out[i] = t[i] - other[i]
	}
	return out
}

var cpuModel = regexp.MustCompile(`(?m)^model name\s*: (.*)$`)

func machine() string {
	cpu := "unknown CPU"
	info, _ := os.ReadFile("/proc/cpuinfo") // on Linux only
	if m := cpuModel.FindSubmatch(info); m != nil {
		cpu = string(m[1])
	}
	return fmt.Sprintf("%s/%s, %d cores, %s, %s",
		runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), cpu, runtime.Version())
}

// load returns the load average of the last minute, or "unknown".
func load() string {
	averages, _ := os.ReadFile("/proc/loadavg") // on Linux only
	minute, _, _ := strings.Cut(string(averages), " ")
	return cmp.Or(minute, "unknown")
}
