package mermaid_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/sagasu-search/sagasu/framework/internal/vault/audit/mermaid"
)

// printer writes a chart in a notation drawn at random and keeps what it meant.
type printer struct {
	*rapid.T
	out   strings.Builder
	graph mermaid.Graph
}

func (p *printer) pick(label string, from ...string) string {
	return rapid.SampledFrom(from).Draw(p.T, label)
}

var written = map[mermaid.Shape][2]string{
	mermaid.Rectangle: {"[", "]"}, mermaid.Rounded: {"(", ")"}, mermaid.Stadium: {"([", "])"}, mermaid.Subroutine: {"[[", "]]"},
	mermaid.Cylinder: {"[(", ")]"}, mermaid.CircleShape: {"((", "))"}, mermaid.DoubleCircle: {"(((", ")))"}, mermaid.Ellipse: {"(-", "-)"},
	mermaid.Odd: {">", "]"}, mermaid.Diamond: {"{", "}"}, mermaid.Hexagon: {"{{", "}}"}, mermaid.LeanRight: {"[/", "/]"},
	mermaid.LeanLeft: {`[\`, `\]`}, mermaid.Trapezoid: {"[/", `\]`}, mermaid.InvTrapezoid: {`[\`, "/]"},
}

var shapes = []mermaid.Shape{
	mermaid.Rectangle, mermaid.Rounded, mermaid.Stadium, mermaid.Subroutine, mermaid.Cylinder, mermaid.CircleShape, mermaid.DoubleCircle,
	mermaid.Ellipse, mermaid.Odd, mermaid.Diamond, mermaid.Hexagon, mermaid.LeanRight, mermaid.LeanLeft, mermaid.Trapezoid, mermaid.InvTrapezoid,
}

var labels = []string{"受付", "書類は揃ったか？", "Send 2 copies", "a - b", "3営業日以内", "v1.2", "yes", "x o x", "100%", "re-send", "A&B"}

// node writes a node, with its label if it has not been written before.
func (p *printer) node(i int) {
	n := &p.graph.Nodes[i]
	p.out.WriteString(n.ID)
	if n.Labelled || rapid.Bool().Draw(p.T, "bare") {
		return
	}
	n.Label, n.Labelled, n.Shape = p.pick("label", labels...), true, rapid.SampledFrom(shapes).Draw(p.T, "shape")
	open, shut := written[n.Shape][0], written[n.Shape][1]
	switch p.pick("form", "raw", "quoted", "markdown", "named") {
	case "raw":
		p.out.WriteString(open + n.Label + shut)
	case "quoted":
		p.out.WriteString(open + `"` + n.Label + `"` + shut)
	case "markdown":
		p.out.WriteString(open + "\"`" + n.Label + "`\"" + shut)
	default:
		fmt.Fprintf(&p.out, "@{ shape: %s, label: %q }", n.Shape, n.Label)
	}
	if rapid.Bool().Draw(p.T, "classed") {
		n.Classes = []string{"hot"}
		p.out.WriteString(":::hot")
	}
}

// arrow writes an arrow and gives it with its text.
func (p *printer) arrow() (a mermaid.Arrow, label string) {
	a.Length = rapid.IntRange(1, 4).Draw(p.T, "length")
	a.Stroke = rapid.SampledFrom([]mermaid.Stroke{mermaid.Normal, mermaid.Thick, mermaid.Dotted, mermaid.Invisible}).Draw(p.T, "stroke")
	if a.Stroke == mermaid.Invisible {
		p.out.WriteString(" " + strings.Repeat("~", a.Length+2) + " ")
		return a, ""
	}
	a.Start = mermaid.Head(rapid.IntRange(0, 3).Draw(p.T, "start"))
	a.End = mermaid.Head(rapid.IntRange(0, 3).Draw(p.T, "end"))
	sign, length := "-", a.Length
	if a.Stroke == mermaid.Thick {
		sign = "="
	}
	whole, opening := strings.Repeat(sign, length+1), sign+sign
	if a.End == mermaid.Open {
		whole += sign
	}
	if a.Stroke == mermaid.Dotted {
		whole, opening = "-"+strings.Repeat(".", length)+"-", "-."
	}
	start, end := [...]string{"", "<", "o", "x"}[a.Start], [...]string{"", ">", "o", "x"}[a.End]
	switch form := p.pick("text", "none", "piped", "inline", "inline quoted"); form {
	case "none":
		p.out.WriteString(" " + start + whole + end + " ")
	case "piped":
		label = p.pick("on", labels...)
		p.out.WriteString(" " + start + whole + end + p.pick("gap", "", " ") + "|" + label + "|" + p.pick("gap", "", " "))
	default:
		label = p.pick("on", labels...)
		shown := label
		if form == "inline quoted" {
			shown = `"` + label + `"`
		}
		whole = strings.TrimPrefix(whole, map[bool]string{true: "-"}[a.Stroke == mermaid.Dotted])
		p.out.WriteString(" " + start + opening + " " + shown + " " + whole + end + " ")
	}
	return a, label
}

// group writes one to three nodes and gives their places.
func (p *printer) group() []int {
	places := rapid.SliceOfNDistinct(rapid.IntRange(0, len(p.graph.Nodes)-1), 1, 3, func(i int) int { return i }).Draw(p.T, "group")
	for k, i := range places {
		if k > 0 {
			p.out.WriteString(" & ")
		}
		p.node(i)
	}
	return places
}

func (p *printer) chain() {
	from := p.group()
	for range rapid.IntRange(1, 3).Draw(p.T, "steps") {
		arrow, label := p.arrow()
		to := p.group()
		for _, a := range from {
			for _, b := range to {
				p.graph.Edges = append(p.graph.Edges, mermaid.Edge{From: p.graph.Nodes[a].ID, To: p.graph.Nodes[b].ID, Label: label, Arrow: arrow})
			}
		}
		from = to
	}
	p.out.WriteString(p.pick("end", "\n", ";", " ; \n", "\n\n", " %% comment\n", "\n%% comment\n"))
}

func TestWhatIsWrittenIsRead(t *testing.T) {
	ids := []string{"A", "b1", "受付", "審査-2", "node_3", "x", "o", "endNode", "subgraph1", "class-a", "n.5"}
	rapid.Check(t, func(t *rapid.T) {
		p := &printer{T: t}
		for _, id := range rapid.SliceOfNDistinct(rapid.SampledFrom(ids), 3, 8, func(id string) string { return id }).Draw(t, "ids") {
			p.graph.Nodes = append(p.graph.Nodes, mermaid.Node{ID: id, Label: id, Shape: mermaid.Rectangle})
		}
		p.out.WriteString(p.pick("keyword", "flowchart", "graph") + " " + p.pick("direction", "TB", "TD", "BT", "LR", "RL") + p.pick("end", "\n", ";"))
		depth := 0
		for range rapid.IntRange(1, 6).Draw(t, "chains") {
			switch p.pick("frame", "none", "none", "open", "close") {
			case "open":
				depth++
				fmt.Fprintf(&p.out, "\nsubgraph frame%d [%s]\n", depth, p.pick("title", labels...))
			case "close":
				if depth > 0 {
					depth--
					p.out.WriteString("\nend\n")
				}
			}
			p.chain()
		}
		p.out.WriteString(strings.Repeat("\nend", depth))
		got, errs := mermaid.Parse(p.out.String())
		if len(errs) > 0 {
			t.Fatalf("%s\n%v", p.out.String(), errs)
		}
		named := map[string]bool{}
		for _, e := range p.graph.Edges {
			named[e.From], named[e.To] = true, true
		}
		options := []cmp.Option{
			cmpopts.IgnoreFields(mermaid.Node{}, "Line"), cmpopts.IgnoreFields(mermaid.Edge{}, "Line"), cmpopts.EquateEmpty(),
			cmpopts.SortSlices(func(a, b mermaid.Node) bool { return a.ID < b.ID }),
			cmpopts.IgnoreSliceElements(func(n mermaid.Node) bool { return !named[n.ID] }),
		}
		if diff := cmp.Diff(p.graph.Nodes, got.Nodes, options...); diff != "" {
			t.Fatalf("%s\n%s", p.out.String(), diff)
		}
		if diff := cmp.Diff(p.graph.Edges, got.Edges, options...); diff != "" {
			t.Fatalf("%s\n%s", p.out.String(), diff)
		}
	})
}
