package mermaid_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/sagasu-search/sagasu/framework/internal/vault/audit/mermaid"
)

// spell writes a graph's edges in one notation, so that a table can tell them.
func spell(g mermaid.Graph) string {
	var lines []string
	for _, e := range g.Edges {
		arrow := map[bool]string{true: "<"}[e.Back] + "-" + map[bool]string{true: ">"}[e.Forth]
		if e.Invisible {
			arrow = "~"
		}
		line := fmt.Sprintf("%s %s %s", e.From, arrow, e.To)
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
		"A --> B":                               "A -> B",
		"A-->B":                                 "A -> B",
		"A --- B":                               "A - B",
		"A ----> B":                             "A -> B",
		"A ----- B":                             "A - B",
		"A --o B":                               "A -> B",
		"A --x B":                               "A -> B",
		"A <--> B":                              "A <-> B",
		"A o--o B":                              "A <-> B",
		"A x--x B":                              "A <-> B",
		"A x--o B":                              "A <-> B",
		"A -.-> B":                              "A -> B",
		"A -..-> B":                             "A -> B",
		"A -.- B":                               "A - B",
		"A <-.-> B":                             "A <-> B",
		"A ==> B":                               "A -> B",
		"A === B":                               "A - B",
		"A <====> B":                            "A <-> B",
		"A ~~~ B":                               "A ~ B",
		"A -- text --> B":                       "A -> B |text|",
		"A --text--> B":                         "A -> B |text|",
		"A -- re-send it ---> B":                "A -> B |re-send it|",
		`A -- "a -- b" --> B`:                   "A -> B |a -- b|",
		"A <-- both --> B":                      "A <-> B |both|",
		"A -- text --- B":                       "A - B |text|",
		"A -->|30日以内| B":                        "A -> B |30日以内|",
		"A -->|\"a|b\"| B":                      "A -> B |a|b|",
		"A ---|text|B":                          "A - B |text|",
		"A -. v1.2 .-> B":                       "A -> B |v1.2|",
		"A -. text .- B":                        "A - B |text|",
		"A == 承認 ==> B":                         "A -> B |承認|",
		"A == a=b === B":                        "A - B |a=b|",
		"A --> B --> C":                         "A -> B; B -> C",
		"A & B --> C & D":                       "A -> C; A -> D; B -> C; B -> D",
		"A --> B & C --> D":                     "A -> B; A -> C; B -> D; C -> D",
		"A --> B; C --> D":                      "A -> B; C -> D",
		"A e1@--> B":                            "e1@ A -> B",
		"A e1@--> B\ne1@{ animate: true }":      "e1@ A -> B",
		"受付-->審査":                               "受付 -> 審査",
		"受付　--> 審査":                             "受付 -> 審査",
		"a-b --> c.d":                           "a-b -> c.d",
		"A---oB":                                "A -> B",
		"A --> B %% why":                        "A -> B",
		"A[x]:::hot --> B:::cold":               "A -> B",
		"A@{ shape: diam, label: \"x\" } --> B": "A -> B",
		"A[\"x\ny\"] --> B":                     "A -> B",
		"A --> A":                               "A -> A",
	} {
		g, errs, _ := mermaid.Parse("flowchart TD\n" + src + "\n")
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
		"A":                                 {Label: "A"},
		"A[x]":                              {Label: "x"},
		"A(x)":                              {Label: "x"},
		"A([x])":                            {Label: "x", Shape: mermaid.Stadium},
		"A[[x]]":                            {Label: "x"},
		"A[(x)]":                            {Label: "x"},
		"A((x))":                            {Label: "x", Shape: mermaid.Circle},
		"A(((x)))":                          {Label: "x", Shape: mermaid.DoubleCircle},
		"A(-x-)":                            {Label: "x", Shape: mermaid.Ellipse},
		"A>x]":                              {Label: "x"},
		"A{x}":                              {Label: "x", Shape: mermaid.Diamond},
		"A{{x}}":                            {Label: "x"},
		"A[/x/]":                            {Label: "x"},
		`A[\x\]`:                            {Label: "x"},
		`A[/x\]`:                            {Label: "x"},
		`A[\x/]`:                            {Label: "x"},
		`A["(x) [y] {z}"]`:                  {Label: "(x) [y] {z}"},
		"A[\"`**x** y`\"]":                  {Label: "**x** y"},
		"A[書類は<br/>揃ったか]":                   {Label: "書類は 揃ったか"},
		`A["#quot;x#quot; #9829;"]`:         {Label: `"x" ♥`},
		"A[a; b]":                           {Label: "a; b"},
		"A{30日を超えるか？}":                      {Label: "30日を超えるか？", Shape: mermaid.Diamond},
		"A@{ shape: decision, label: 'x' }": {Label: "x", Shape: mermaid.Diamond},
		"A@{\n  label: \"x, y\"\n  shape: notch-rect\n}": {Label: "x, y", Shape: "notch-rect"},
	} {
		g, errs, _ := mermaid.Parse("graph LR\n" + src)
		if len(errs) > 0 || len(g.Nodes) != 1 {
			t.Errorf("%s: %+v %v", src, g.Nodes, errs)
			continue
		}
		want.ID, want.Line = "A", 2
		if diff := cmp.Diff(want, g.Nodes[0], cmpopts.IgnoreUnexported(mermaid.Node{})); diff != "" {
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
	g, errs, _ := mermaid.Parse(src)
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	want := mermaid.Graph{
		Nodes: []mermaid.Node{
			{ID: "受付", Label: "受付", Shape: mermaid.Stadium, Line: 8},
			{ID: "check", Label: "書類は揃っているか", Shape: mermaid.Diamond, Line: 8},
			{ID: "審査", Label: "審査", Line: 10},
			{ID: "通知", Label: "通知", Line: 10},
			{ID: "x1", Label: "x1", Line: 15},
			{ID: "x2", Label: "x2", Line: 15},
			{ID: "完了", Label: "完了", Shape: mermaid.Circle, Line: 18},
			{ID: "archive", Label: "保管", Line: 18},
		},
		Subgraphs: []mermaid.Subgraph{
			{ID: "審査部", Title: "審査の手順", Nodes: []string{"審査"}, Line: 11},
			{ID: "inner", Title: "inner", Parent: "審査部", Nodes: []string{"x1", "x2"}, Line: 14},
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
	if diff := cmp.Diff(want, g, cmpopts.IgnoreUnexported(mermaid.Node{})); diff != "" {
		t.Error(diff)
	}
	const arrows = "受付 -> check; check -> 審査 |はい|; check -> 通知 |はい|; 審査 -> inner; x1 -> x2; 審査部 -> 完了; 完了 -> archive"
	if got := spell(mermaid.Graph{Edges: edges}); got != arrows {
		t.Errorf("edges %s", got)
	}
}

func TestErrorsAreToldAndSkipped(t *testing.T) {
	for src, want := range map[string]string{
		"A[x (y)] --> B\nC --> D": `line 2: the label "x" is not closed with ]; a label with brackets or quotes in it needs quotes around it`,
		"A[x\nC --> D":            `line 2: the label "x C --> D" is not closed with ]; a label with brackets or quotes in it needs quotes around it`,
		"A -->\nC --> D":          "line 2: a node is missing at the end of the line",
		"A -- text B\nC --> D":    `line 2: the arrow after the text "text B" is missing`,
		"A -->|x B\nC --> D":      `line 2: the text "x B" on an arrow is not closed with |`,
		"A B\nC --> D":            `line 2: "B" stands where an arrow or the end of the statement is expected`,
		"--> B\nC --> D":          `line 2: "-" stands where a node is expected`,
		"C --> D\nend":            "line 3: end stands outside any subgraph",
		"C --> D\nsubgraph x":     `line 3: the subgraph "x" has no end`,
		"direction up\nC --> D":   `line 2: "up" is no direction; use TB, TD, BT, LR or RL`,
		"A@{ diam }\nC --> D":     "line 2: the attributes in @{ } are not pairs such as shape: diam, closed with }",
		"A -> B\nC --> D":         `line 2: "-" stands where an arrow or the end of the statement is expected`,
	} {
		g, errs, _ := mermaid.Parse("flowchart TD\n" + src)
		if len(errs) != 1 || fmt.Sprintf("line %d: %s", errs[0].Line, errs[0].Message) != want {
			t.Errorf("%q: %v, want %s", src, errs, want)
		}
		if got := spell(g); got != "C -> D" {
			t.Errorf("%q: edges %s", src, got)
		}
	}
}

func TestOtherDiagramsAreLeftAlone(t *testing.T) {
	for src, want := range map[string]bool{
		"graph TD": true, "%% c\n\nflowchart": true, "---\nt: x\n---\nflowchart-elk LR": true, "%%{init: {}}%%\ngraph LR; A": true,
		"sequenceDiagram\nA->>B: x": false, "": false, "graphs": false, "stateDiagram-v2": false,
	} {
		if _, _, got := mermaid.Parse(src); got != want {
			t.Errorf("%q: %t", src, got)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{"flowchart TD\nA-->B", "graph LR; A[x]-- y -->B{z}", "graph\nsubgraph a [b]\nend\n%% c", "flowchart\nA@{shape: x}\ne1@{", "---\n---\n%%{"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, src string) {
		g, errs, _ := mermaid.Parse(src)
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
			if !known[e.From] || !known[e.To] {
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
