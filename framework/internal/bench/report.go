package bench

import "time"

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
