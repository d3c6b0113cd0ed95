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
	out      strings.Builder
	graph    mermaid.Graph
	labelled map[string]bool
}

func (p *printer) pick(label string, from ...string) string {
	return rapid.SampledFrom(from).Draw(p.T, label)
}

// shape is a form of a node with its name and its brackets.
type shape struct {
	name       string
	of         mermaid.Shape
	open, shut string
}

var shapes = []shape{
	{"rect", "", "[", "]"}, {"rounded", "", "(", ")"}, {"stadium", mermaid.Stadium, "([", "])"},
	{"fr-rect", "", "[[", "]]"}, {"cyl", "", "[(", ")]"}, {"circle", mermaid.Circle, "((", "))"},
	{"dbl-circ", mermaid.DoubleCircle, "(((", ")))"}, {"ellipse", mermaid.Ellipse, "(-", "-)"},
	{"odd", "", ">", "]"}, {"diam", mermaid.Diamond, "{", "}"}, {"hex", "", "{{", "}}"},
	{"lean-r", "", "[/", "/]"}, {"lean-l", "", `[\`, `\]`}, {"trap-b", "", "[/", `\]`}, {"trap-t", "", `[\`, "/]"},
}

var labels = []string{"受付", "書類は揃ったか？", "Send 2 copies", "a - b", "3営業日以内", "v1.2", "yes", "x o x", "100%", "re-send", "A&B"}

// node writes a node, with its label if it has not been written before.
func (p *printer) node(i int) {
	n := &p.graph.Nodes[i]
	p.out.WriteString(n.ID)
	if p.labelled[n.ID] || rapid.Bool().Draw(p.T, "bare") {
		return
	}
	p.labelled[n.ID] = true
	drawn := rapid.SampledFrom(shapes).Draw(p.T, "shape")
	n.Label, n.Shape = p.pick("label", labels...), drawn.of
	switch p.pick("form", "raw", "quoted", "markdown", "named") {
	case "raw":
		p.out.WriteString(drawn.open + n.Label + drawn.shut)
	case "quoted":
		p.out.WriteString(drawn.open + `"` + n.Label + `"` + drawn.shut)
	case "markdown":
		p.out.WriteString(drawn.open + "\"`" + n.Label + "`\"" + drawn.shut)
	default:
		n.Shape = mermaid.Shape(drawn.name)
		fmt.Fprintf(&p.out, "@{ shape: %s, label: %q }", drawn.name, n.Label)
	}
	if rapid.Bool().Draw(p.T, "classed") {
		p.out.WriteString(":::hot")
	}
}

// arrow writes an arrow and returns the edge that it draws.
func (p *printer) arrow() (e mermaid.Edge) {
	length := rapid.IntRange(1, 4).Draw(p.T, "length")
	sign := p.pick("stroke", "-", "=", ".", "~")
	if sign == "~" {
		p.out.WriteString(" " + strings.Repeat("~", length+2) + " ")
		return mermaid.Edge{Invisible: true}
	}
	start, end := p.pick("start", "", "<", "o", "x"), p.pick("end", "", ">", "o", "x")
	e.Back, e.Forth = start != "", end != ""
	whole, opening := strings.Repeat(sign, length+1), sign+sign
	if end == "" {
		whole += sign
	}
	if sign == "." {
		whole, opening = "-"+strings.Repeat(".", length)+"-", "-."
	}
	switch form := p.pick("text", "none", "piped", "inline", "inline quoted"); form {
	case "none":
		p.out.WriteString(" " + start + whole + end + " ")
	case "piped":
		e.Label = p.pick("on", labels...)
		p.out.WriteString(" " + start + whole + end + p.pick("gap", "", " ") + "|" + e.Label + "|" + p.pick("gap", "", " "))
	default:
		e.Label = p.pick("on", labels...)
		shown := e.Label
		if form == "inline quoted" {
			shown = `"` + e.Label + `"`
		}
		if sign == "." {
			whole = strings.TrimPrefix(whole, "-")
		}
		p.out.WriteString(" " + start + opening + " " + shown + " " + whole + end + " ")
	}
	return e
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
		edge := p.arrow()
		to := p.group()
		for _, a := range from {
			for _, b := range to {
				edge.From, edge.To = p.graph.Nodes[a].ID, p.graph.Nodes[b].ID
				p.graph.Edges = append(p.graph.Edges, edge)
			}
		}
		from = to
	}
	p.out.WriteString(p.pick("end", "\n", ";", " ; \n", "\n\n", " %% comment\n", "\n%% comment\n"))
}

func TestWhatIsWrittenIsRead(t *testing.T) {
	ids := []string{"A", "b1", "受付", "審査-2", "node_3", "x", "o", "endNode", "subgraph1", "class-a", "n.5"}
	rapid.Check(t, func(t *rapid.T) {
		p := &printer{T: t, labelled: map[string]bool{}}
		for _, id := range rapid.SliceOfNDistinct(rapid.SampledFrom(ids), 3, 8, func(id string) string { return id }).Draw(t, "ids") {
			p.graph.Nodes = append(p.graph.Nodes, mermaid.Node{ID: id, Label: id})
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
		got, errs, _ := mermaid.Parse(p.out.String())
		if len(errs) > 0 {
			t.Fatalf("%s\n%v", p.out.String(), errs)
		}
		named := map[string]bool{}
		for _, e := range p.graph.Edges {
			named[e.From], named[e.To] = true, true
		}
		options := []cmp.Option{
			cmpopts.IgnoreFields(mermaid.Node{}, "Line"), cmpopts.IgnoreUnexported(mermaid.Node{}),
			cmpopts.IgnoreFields(mermaid.Edge{}, "Line"), cmpopts.EquateEmpty(),
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
