package eval

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
)

//go:embed report.html.tmpl
var page string

// WriteHTML writes a report as one page that needs no network and no scripts.
func WriteHTML(w io.Writer, r *Report) error {
	t, err := template.New("report").Funcs(template.FuncMap{
		"rank": rank, "bar": bar, "span": newSpan, "or": orPresent, "place": Target.place, "relevant": Outcome.expects,
		"measures": func(name string, queries int, m Measures) any {
			return struct {
				Name    string
				Queries int
				Measures
			}{name, queries, m}
		},
	}).Parse(page)
	if err != nil {
		return fmt.Errorf("template of the report: %w", err)
	}
	return t.Execute(w, r)
}

// place returns the place of a section for a reader.
func (t Target) place() string { return fmt.Sprintf("%s:%d", t.file(), t.StartLine) }

func (o Outcome) expects(t Target) bool {
	_, ok := grades(o.Expected, Target.section)[t.section()]
	return ok
}

// bar returns the width of a share drawn as a bar, in an SVG 100 wide.
func bar(share float64) float64 { return 100 * min(max(share, 0), 1) }

// span is a difference with its interval, drawn around the middle of an SVG 200 wide, whose ends are ±reach.
type span struct {
	From, Width, At float64
	Class           string
}

// reach is the largest difference that is drawn.
const reach = 0.1

func newSpan(d Difference) span {
	at := func(x float64) float64 { return 100 + 100*min(max(x/reach, -1), 1) }
	s := span{From: at(d.Low), Width: at(d.High) - at(d.Low), At: at(d.Mean), Class: "even"}
	switch {
	case d.Rises():
		s.Class = "up"
	case d.Falls():
		s.Class = "down"
	}
	return s
}
