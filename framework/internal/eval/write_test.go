package eval

import (
	"bytes"
	"encoding/xml"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the expected outputs anew")

// steering is a text that would change the colour of a terminal; no page may contain it.
const steering = "a\x1b[31m"

// full returns a report with every part.
func full(t *testing.T) *Report {
	t.Helper()
	r := &Report{
		Setup:   Setup{Queries: "q.jsonl", Strategies: []string{"exact", "loose"}, Fusion: "weighted", Values: map[string]float64{"loose.weight": 0.5}},
		Queries: 2, K: 5, Measures: Measures{0.5, 0.5, 0.5, 0.5, 0.5, 1}, File: Measures{1, 1, 1, 1, 1, 1},
		Tokens: Tokens{Spread: Spread{12.4, 12, 20}, Without: 1}, Matched: Matched{PerQuery: 3.5, Relevant: 0.5}, P50MS: 1.25, P95MS: 4,
		ByKind: map[string]Kind{"definition": {1, Measures{1, 1, 1, 1, 1, 1}}, steering: {1, Measures{}}}, Warnings: map[string]int{"late": 1},
		PerQuery: []Outcome{
			{
				ID: "q1", Query: "保証とは <b>", Kinds: []string{"definition"}, NDCG: 1, MRR: 1, Rank: 1, Tokens: 12, Matched: 4, RelevantMatched: 1, MS: 1.25,
				Expected: []Target{{"m", "a.md", 3, "保証", 2, 0}}, Ranked: []Target{{"m", "a.md", 3, "保証", 0, 0}, {"m", "b.md", 1, "<script>", 0, 0}},
			},
			{ID: "q2", Query: "lost", Matched: 3, MS: 4, Expected: []Target{{"m", "c.md", 1, "C", 1, 0}}, Ranked: []Target{}},
		},
	}
	d := Difference{Mean: -0.02, Low: -0.03, High: -0.01, Better: 1, Worse: 4}
	r.Ablation = []Effect{
		{"loose", modeOff, 0.48, 0.9, d, Difference{Mean: -0.1}},
		{"exact", modeAlone, 0.9, 1, Difference{Mean: 0.4, Low: 0.2, High: 0.6, Better: 9}, Difference{}},
	}
	r.Comparison = &Comparison{
		Baseline: "before.json", Figures: []Figure{{"nDCG@5", 0.52, 0.5, d}},
		Losses: []Change{{"q2", "lost\n", 0.5, 0, 3, 0}}, Gains: []Change{},
	}
	r.Tuning = &Tuning{
		Queries: 2, Runs: 7, Present: 0.5, Training: 0.6, HeldOut: 0.51, Gain: Difference{Mean: 0.01, Low: -0.01, High: 0.03, Better: 3, Worse: 2},
		Found: Setting{"tau": 0.2}, Folds: []Fold{{Setting{"tau": 0.2}, 0.5, 0.6, 0.4, 0.45}, {Setting{}, 0.5, 0.5, 0.4, 0.4}},
	}
	return r
}

func golden(t *testing.T, name string, write func(io.Writer, *Report) error, r *Report) string {
	t.Helper()
	var got bytes.Buffer
	if err := write(&got, r); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, got.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.ReplaceAll(string(want), "\r\n", "\n"), got.String()); diff != "" {
		t.Errorf("%s (-update writes it anew):\n%s", name, diff)
	}
	return got.String()
}

func TestWriteText(t *testing.T) {
	text := golden(t, "report.txt", WriteText, full(t))
	if strings.ContainsRune(text, '\x1b') {
		t.Error("a query steers the terminal")
	}
}

func TestWriteHTML(t *testing.T) {
	r := full(t)
	delete(r.ByKind, steering)
	text := golden(t, "report.html", WriteHTML, r)
	for _, foreign := range []string{"<script", "http:", "https:", "src=", "@import"} {
		if strings.Contains(text, foreign) {
			t.Errorf("the page holds %s", foreign)
		}
	}
	checkNesting(t, text)
}

func TestWriteHTMLWithoutExtras(t *testing.T) {
	r := full(t)
	r.Ablation, r.Comparison, r.Tuning, r.ByKind = nil, nil, nil, nil
	var got bytes.Buffer
	if err := WriteHTML(&got, r); err != nil {
		t.Fatal(err)
	}
	for _, title := range []string{"Ablation", "Compared", "Tuning"} {
		if strings.Contains(got.String(), title) {
			t.Errorf("the page speaks of %s", title)
		}
	}
	checkNesting(t, got.String())
}

// checkNesting checks that elements are closed in order: the page is also well-formed XML.
func checkNesting(t *testing.T, page string) {
	t.Helper()
	for d := xml.NewDecoder(strings.NewReader(page)); ; {
		if _, err := d.Token(); err == io.EOF {
			return
		} else if err != nil {
			t.Fatal(err)
		}
	}
}

func TestVerdicts(t *testing.T) {
	rise, fall := Difference{Low: 0.01, High: 0.02}, Difference{Low: -0.02, High: -0.01}
	for want, tuning := range map[string]*Tuning{
		"use what was found": {Gain: rise, Adopted: true, Found: Setting{"a": 1}},
		"nothing better":     {Found: Setting{}},
		"is worse on held":   {Gain: fall, Found: Setting{"a": 1}},
		"touches zero":       {Gain: Difference{Low: -0.01, High: 0.02}, Found: Setting{"a": 1}},
	} {
		if got := tuning.Verdict(); !strings.Contains(got, want) {
			t.Errorf("want %q, got %q", want, got)
		}
	}
}
