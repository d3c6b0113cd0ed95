package mermaid_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/framework/internal/vault/audit/mermaid"
)

// spell writes a graph's edges in one notation, so that a table can tell them.
func spell(g mermaid.Graph) string {
	var lines []string
	for _, e := range g.Edges {
		a := e.Arrow
		line := fmt.Sprintf("%s %s%s%s%d %s", e.From, [...]string{"", "<", "o", "x"}[a.Start],
			[...]string{"-", "=", ".", "~"}[a.Stroke], [...]string{"", ">", "o", "x"}[a.End], a.Length, e.To)
		if e.ID != "" {
			line = e.ID + "@ " + line
		}
		if e.Label != "" {
			line += " |" + e.Label + "|"
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "; ")
}

func TestArrows(t *testing.T) {
	for src, want := range map[string]string{
		"A --> B":                               "A ->1 B",
		"A-->B":                                 "A ->1 B",
		"A --- B":                               "A -1 B",
		"A ----> B":                             "A ->3 B",
		"A ----- B":                             "A -3 B",
		"A --o B":                               "A -o1 B",
		"A --x B":                               "A -x1 B",
		"A <--> B":                              "A <->1 B",
		"A o--o B":                              "A o-o1 B",
		"A x--x B":                              "A x-x1 B",
		"A x--o B":                              "A x-o1 B",
		"A -.-> B":                              "A .>1 B",
		"A -..-> B":                             "A .>2 B",
		"A -.- B":                               "A .1 B",
		"A <-.-> B":                             "A <.>1 B",
		"A ==> B":                               "A =>1 B",
		"A === B":                               "A =1 B",
		"A <====> B":                            "A <=>3 B",
		"A ~~~ B":                               "A ~1 B",
		"A -- text --> B":                       "A ->1 B |text|",
		"A --text--> B":                         "A ->1 B |text|",
		"A -- re-send it ---> B":                "A ->2 B |re-send it|",
		`A -- "a -- b" --> B`:                   "A ->1 B |a -- b|",
		"A <-- both --> B":                      "A <->1 B |both|",
		"A -- text --- B":                       "A -1 B |text|",
		"A -->|30日以内| B":                        "A ->1 B |30日以内|",
		"A -->|\"a|b\"| B":                      "A ->1 B |a|b|",
		"A ---|text|B":                          "A -1 B |text|",
		"A -. v1.2 .-> B":                       "A .>1 B |v1.2|",
		"A -. text .- B":                        "A .1 B |text|",
		"A == 承認 ==> B":                         "A =>1 B |承認|",
		"A == a=b === B":                        "A =1 B |a=b|",
		"A --> B --> C":                         "A ->1 B; B ->1 C",
		"A & B --> C & D":                       "A ->1 C; A ->1 D; B ->1 C; B ->1 D",
		"A --> B & C --> D":                     "A ->1 B; A ->1 C; B ->1 D; C ->1 D",
		"A --> B; C --> D":                      "A ->1 B; C ->1 D",
		"A e1@--> B":                            "e1@ A ->1 B",
		"A e1@--> B\ne1@{ animate: true }":      "e1@ A ->1 B",
		"受付-->審査":                               "受付 ->1 審査",
		"受付　--> 審査":                             "受付 ->1 審査",
		"a-b --> c.d":                           "a-b ->1 c.d",
		"A---oB":                                "A -o2 B",
		"A --> B %% why":                        "A ->1 B",
		"A[x]:::hot --> B:::cold":               "A ->1 B",
		"A@{ shape: diam, label: \"x\" } --> B": "A ->1 B",
		"A[\"x\ny\"] --> B":                     "A ->1 B",
		"A --> A":                               "A ->1 A",
	} {
		g, errs := mermaid.Parse("flowchart TD\n" + src + "\n")
		if len(errs) > 0 {
			t.Errorf("%s: %v", src, errs)
		}
		if got := spell(g); got != want {
			t.Errorf("%s: %s, want %s", src, got, want)
		}
	}
}

func TestShapes(t *testing.T) {
	for src, want := range map[string]mermaid.Node{
		"A":                                 {Label: "A", Shape: mermaid.Rectangle},
		"A[x]":                              {Label: "x", Shape: mermaid.Rectangle},
		"A(x)":                              {Label: "x", Shape: mermaid.Rounded},
		"A([x])":                            {Label: "x", Shape: mermaid.Stadium},
		"A[[x]]":                            {Label: "x", Shape: mermaid.Subroutine},
		"A[(x)]":                            {Label: "x", Shape: mermaid.Cylinder},
		"A((x))":                            {Label: "x", Shape: mermaid.CircleShape},
		"A(((x)))":                          {Label: "x", Shape: mermaid.DoubleCircle},
		"A(-x-)":                            {Label: "x", Shape: mermaid.Ellipse},
		"A>x]":                              {Label: "x", Shape: mermaid.Odd},
		"A{x}":                              {Label: "x", Shape: mermaid.Diamond},
		"A{{x}}":                            {Label: "x", Shape: mermaid.Hexagon},
		"A[/x/]":                            {Label: "x", Shape: mermaid.LeanRight},
		`A[\x\]`:                            {Label: "x", Shape: mermaid.LeanLeft},
		`A[/x\]`:                            {Label: "x", Shape: mermaid.Trapezoid},
		`A[\x/]`:                            {Label: "x", Shape: mermaid.InvTrapezoid},
		`A["(x) [y] {z}"]`:                  {Label: "(x) [y] {z}", Shape: mermaid.Rectangle},
		"A[\"`**x** y`\"]":                  {Label: "**x** y", Shape: mermaid.Rectangle},
		"A[書類は<br/>揃ったか]":                   {Label: "書類は 揃ったか", Shape: mermaid.Rectangle},
		`A["#quot;x#quot; #9829;"]`:         {Label: `"x" ♥`, Shape: mermaid.Rectangle},
		"A[a; b]":                           {Label: "a; b", Shape: mermaid.Rectangle},
		"A{30日を超えるか？}":                      {Label: "30日を超えるか？", Shape: mermaid.Diamond},
		"A@{ shape: decision, label: 'x' }": {Label: "x", Shape: mermaid.Diamond},
		"A@{\n  label: \"x, y\"\n  shape: notch-rect\n}": {Label: "x, y", Shape: "notch-rect"},
	} {
		g, errs := mermaid.Parse("graph LR\n" + src)
		if len(errs) > 0 || len(g.Nodes) != 1 {
			t.Errorf("%s: %+v %v", src, g.Nodes, errs)
			continue
		}
		want.ID, want.Line, want.Labelled = "A", 2, src != "A"
		if diff := cmp.Diff(want, g.Nodes[0]); diff != "" {
			t.Errorf("%s: %s", src, diff)
		}
	}
}

func TestChart(t *testing.T) {
	const src = `---
title: 保険金請求
---
%%{init: {
  "theme": "dark" } }%%
%% source: 約款
flowchart TB
  受付([受付]) --> check{書類は揃っているか}
  %% source_lines: 3-5
  check -- はい --> 審査 & 通知
  subgraph 審査部 [審査の手順]
    direction LR
    審査 --> inner
    subgraph inner
      x1 --> x2
    end
  end
  審査部 --> 完了((完了)); 完了 --> archive[(保管)]:::cold %% source_lines: 9
  classDef cold fill:#eef,stroke:#99f
  class 受付,check hot
  style 完了 fill:#f9f
  linkStyle 0,1 stroke:red
  click check "#decisions" "about"
  click 完了 href "https://example.org" _blank
  accDescr { two
    lines }
`
	g, errs := mermaid.Parse(src)
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	want := mermaid.Graph{
		Direction: "TB",
		Nodes: []mermaid.Node{
			{ID: "受付", Label: "受付", Labelled: true, Shape: mermaid.Stadium, Line: 8},
			{ID: "check", Label: "書類は揃っているか", Labelled: true, Shape: mermaid.Diamond, Line: 8},
			{ID: "審査", Label: "審査", Shape: mermaid.Rectangle, Line: 10},
			{ID: "通知", Label: "通知", Shape: mermaid.Rectangle, Line: 10},
			{ID: "x1", Label: "x1", Shape: mermaid.Rectangle, Line: 15},
			{ID: "x2", Label: "x2", Shape: mermaid.Rectangle, Line: 15},
			{ID: "完了", Label: "完了", Labelled: true, Shape: mermaid.CircleShape, Line: 18},
			{ID: "archive", Label: "保管", Labelled: true, Shape: mermaid.Cylinder, Classes: []string{"cold"}, Line: 18},
		},
		Subgraphs: []mermaid.Subgraph{
			{ID: "審査部", Title: "審査の手順", Direction: "LR", Nodes: []string{"審査"}, Line: 11, EndLine: 17},
			{ID: "inner", Title: "inner", Parent: "審査部", Nodes: []string{"x1", "x2"}, Line: 14, EndLine: 16},
		},
		Comments: []mermaid.Comment{
			{Text: "source: 約款", Line: 6}, {Text: "source_lines: 3-5", Line: 9},
			{Text: "source_lines: 9", Line: 18, Trailing: true},
		},
		Mentions: []mermaid.Mention{
			{Keyword: "class", IDs: []string{"受付", "check"}, Line: 20},
			{Keyword: "style", IDs: []string{"完了"}, Line: 21},
			{Keyword: "linkStyle", IDs: []string{"0", "1"}, Line: 22},
			{Keyword: "click", IDs: []string{"check"}, Link: "#decisions", Line: 23},
			{Keyword: "click", IDs: []string{"完了"}, Link: "https://example.org", Line: 24},
		},
	}
	edges := g.Edges
	g.Edges = nil
	if diff := cmp.Diff(want, g); diff != "" {
		t.Error(diff)
	}
	const arrows = "受付 ->1 check; check ->1 審査 |はい|; check ->1 通知 |はい|; 審査 ->1 inner; x1 ->1 x2; 審査部 ->1 完了; 完了 ->1 archive"
	if got := spell(mermaid.Graph{Edges: edges}); got != arrows {
		t.Errorf("edges %s", got)
	}
}

func TestErrorsAreToldAndSkipped(t *testing.T) {
	for src, want := range map[string]string{
		"A[x (y)] --> B\nC --> D": `line 2: the label "x" is not closed with ]; a label with brackets or quotes in it needs quotes around it`,
		"A[x\nC --> D":            `line 2: the label "x C --> D" is not closed with ]; a label with brackets or quotes in it needs quotes around it`,
		"A -->\nC --> D":          "line 2: a node is missing at the end of the line",
		"A -- text B\nC --> D":    `line 2: the arrow after the text "text" is missing`,
		"A -->|x B\nC --> D":      `line 2: the text "x B" on an arrow is not closed with |`,
		"A B\nC --> D":            `line 2: "B" stands where an arrow or the end of the statement is expected`,
		"--> B\nC --> D":          `line 2: "-" stands where a node is expected`,
		"C --> D\nend":            "line 3: end stands outside any subgraph",
		"C --> D\nsubgraph x":     `line 3: the subgraph "x" has no end`,
		"direction up\nC --> D":   `line 2: "up" is no direction; use TB, TD, BT, LR or RL`,
		"A@{ diam }\nC --> D":     "line 2: the attributes in @{ } are not pairs such as shape: diam, closed with }",
		"A -> B\nC --> D":         `line 2: "-" stands where an arrow or the end of the statement is expected`,
	} {
		g, errs := mermaid.Parse("flowchart TD\n" + src)
		if len(errs) != 1 || errs[0].Error() != want {
			t.Errorf("%q: %v, want %s", src, errs, want)
		}
		if got := spell(g); got != "C ->1 D" {
			t.Errorf("%q: edges %s", src, got)
		}
	}
}

func TestIsFlowchart(t *testing.T) {
	for src, want := range map[string]bool{
		"graph TD": true, "%% c\n\nflowchart": true, "---\nt: x\n---\nflowchart-elk LR": true, "%%{init: {}}%%\ngraph LR; A": true,
		"sequenceDiagram\nA->>B: x": false, "": false, "graphs": false, "stateDiagram-v2": false,
	} {
		if got := mermaid.IsFlowchart(src); got != want {
			t.Errorf("%q: %t", src, got)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{"flowchart TD\nA-->B", "graph LR; A[x]-- y -->B{z}", "graph\nsubgraph a [b]\nend\n%% c", "flowchart\nA@{shape: x}\ne1@{", "---\n---\n%%{"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, src string) {
		g, errs := mermaid.Parse(src)
		last := 1 + strings.Count(src, "\n")
		known := map[string]bool{}
		for _, n := range g.Nodes {
			known[n.ID] = true
			if n.Line < 1 || n.Line > last || n.ID == "" {
				t.Errorf("node %+v of %d lines", n, last)
			}
		}
		for _, s := range g.Subgraphs {
			known[s.ID] = true
		}
		for _, e := range g.Edges {
			if !known[e.From] || !known[e.To] || e.Arrow.Length < 1 {
				t.Errorf("edge %+v", e)
			}
		}
		for _, e := range errs {
			if e.Line < 1 || e.Line > last || e.Message == "" {
				t.Errorf("error %+v of %d lines", e, last)
			}
		}
	})
}
