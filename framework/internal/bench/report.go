package bench

import (
	"math"
	"runtime"
	"slices"
	"time"
)

// Report is what a run measured.
type Report struct {
	Machine Machine  `json:"machine"`
	Data    Data     `json:"data"`
	Method  string   `json:"method"`
	Peers   []Engine `json:"peers"`
	Lines   []Line   `json:"lines"`
	// Left says what was not measured, and why.
	Left []string `json:"not_measured,omitempty"`
}

// Data is what a run measured on.
type Data struct {
	Manuals  int    `json:"manuals"`
	Files    int    `json:"files"`
	Bytes    int64  `json:"bytes"`
	Sections int    `json:"sections"`
	Language string `json:"language"` // of the peers' analyzers: ja or en
	Queries  int    `json:"queries"`
	Judged   bool   `json:"judged"` // false when queries were made from headings
}

// Units of figures.
const (
	Milliseconds = "ms"
	Seconds      = "s"
	Megabytes    = "MB" // 10⁶ bytes
	PerSecond    = "/s"
	MegabytesPS  = "MB/s"
	Times1       = "×"
	Score        = ""
)

// Line is one figure.
type Line struct {
	Part  string  `json:"part"` // what belongs together
	Name  string  `json:"name"`
	Value float64 `json:"value"`
	Unit  string  `json:"unit"`
	Bar   *Bar    `json:"bar,omitempty"`
	Note  string  `json:"note,omitempty"`
}

// Bar is what a figure must keep.
type Bar struct {
	Least *float64 `json:"least,omitempty"`
	Most  *float64 `json:"most,omitempty"`
	Kept  bool     `json:"kept"`
}

// Missed are the lines that do not keep their bar.
func (r *Report) Missed() []Line {
	var out []Line
	for _, l := range r.Lines {
		if l.Bar != nil && !l.Bar.Kept {
			out = append(out, l)
		}
	}
	return out
}

// part collects the lines of one part of a report.
type part struct {
	report *Report
	name   string
}

func (r *Report) part(name string) part { return part{r, name} }

// add adds a figure and returns its line, to be given a bar or a note.
func (p part) add(name string, value float64, unit string) *Line {
	p.report.Lines = append(p.report.Lines, Line{Part: p.name, Name: name, Value: value, Unit: unit})
	return &p.report.Lines[len(p.report.Lines)-1]
}

func (p part) ms(name string, d time.Duration) *Line {
	return p.add(name, float64(d)/float64(time.Millisecond), Milliseconds)
}

func (p part) seconds(name string, d time.Duration) *Line {
	return p.add(name, d.Seconds(), Seconds)
}

// spread adds the median and the 95th percentile of times.
func (p part) spread(name string, t Times) (median, p95 *Line) {
	p.ms(name+", median", t.Median())
	p.ms(name+", p95", t.P95())
	n := len(p.report.Lines)
	return &p.report.Lines[n-2], &p.report.Lines[n-1]
}

func (l *Line) atLeast(x float64) *Line {
	l.Bar = &Bar{Least: &x, Kept: l.Value >= x}
	return l
}

func (l *Line) atMost(x float64) *Line {
	l.Bar = &Bar{Most: &x, Kept: l.Value <= x}
	return l
}

func (l *Line) note(text string) *Line {
	l.Note = text
	return l
}

func (r *Report) leave(what string) { r.Left = append(r.Left, what) }

// Times are the durations of one thing, in the order they were taken.
type Times []time.Duration

// Median is the middle of the sorted times, the mean of the two middle ones where
// their number is even; 0 for none.
func (t Times) Median() time.Duration {
	s := slices.Sorted(slices.Values(t))
	n := len(s)
	if n == 0 {
		return 0
	}
	return (s[(n-1)/2] + s[n/2]) / 2
}

// Quantile is the least time that a share q of all do not exceed (nearest rank);
// 0 for none. q is in (0, 1].
func (t Times) Quantile(q float64) time.Duration {
	s := slices.Sorted(slices.Values(t))
	if len(s) == 0 {
		return 0
	}
	return s[max(int(math.Ceil(q*float64(len(s)))), 1)-1]
}

// P95 is what 19 of 20 do not exceed.
func (t Times) P95() time.Duration { return t.Quantile(0.95) }

// Less returns the differences to other times of the same things.
func (t Times) Less(other Times) Times {
	out := make(Times, len(t))
	for i := range t {
		out[i] = t[i] - other[i]
	}
	return out
}

// ratio is a/b, 0 where b is not positive.
func ratio[T ~int64 | ~float64](a, b T) float64 {
	if b <= 0 {
		return 0
	}
	return float64(a) / float64(b)
}

// Machine is where a run took place.
type Machine struct {
	OS     string     `json:"os"`
	Arch   string     `json:"arch"`
	CPU    string     `json:"cpu,omitempty"` // model, where the system tells
	Cores  int        `json:"cores"`
	Go     string     `json:"go"`
	Before [3]float64 `json:"load_before"` // load averages of 1, 5 and 15 minutes; 0 where there are none
	After  [3]float64 `json:"load_after"`
}

func here() Machine {
	return Machine{
		OS: runtime.GOOS, Arch: runtime.GOARCH, CPU: cpuModel(), Cores: runtime.NumCPU(), Go: runtime.Version(),
		Before: load(),
	}
}
