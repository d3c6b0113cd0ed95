package cli

import (
	"bytes"
	"strings"
	"testing"

	speed "github.com/sagasu-search/sagasu/framework/internal/bench"
)

// measured is a report with all kinds of figures.
func measured() *speed.Report {
	ten, five := 10.0, 5.0
	return &speed.Report{
		Machine: speed.Machine{OS: "linux", Arch: "amd64", Cores: 2, CPU: "a chip", Go: "go1", Before: [3]float64{0.5}},
		Data:    speed.Data{Manuals: 1, Files: 2, Bytes: 3_000_000, Sections: 4, Language: "en", Queries: 5},
		Lines: []speed.Line{
			{Part: "first", Name: "ratio", Value: 12.34, Unit: "×", Bar: &speed.Bar{Least: &ten, Kept: true}},
			{Part: "first", Name: "time", Value: 6.5, Unit: "ms", Bar: &speed.Bar{Most: &five}, Note: "noisy"},
			{Part: "second", Name: "score", Value: 0.71234},
			{Part: "second", Name: "count", Value: 3},
			{Part: "second", Name: "rate", Value: 1234.5, Unit: "/s"},
		},
		Peers: []speed.Engine{{Name: "grep", About: "a \x1b[31mfake"}}, Left: []string{"growth: no more"}, Method: "by hand",
	}
}

func TestPrintBench(t *testing.T) {
	var out bytes.Buffer
	if err := printBench(&out, measured()); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"linux/amd64, 2 cores, a chip, go1; load average 0.5 before, 0.0 after\n",
		"1 manuals, 2 files, 3.0 MB, 4 sections (en); 5 queries made from headings\n",
		"\nfirst\nratio  12.3 ×    ≥ 10: kept", "time   6.500 ms  ≤ 5: MISSED  noisy\n",
		"\nsecond\nscore  0.7123", "count  3 ", "rate   1234 /s", "\nnot measured: growth: no more\n", "\nmethod: by hand\n",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is not in\n%s", want, &out)
		}
	}
	if strings.Contains(out.String(), "\x1b") {
		t.Error("a peer's words steer the terminal")
	}
}

func TestMarkdownBench(t *testing.T) {
	r := measured()
	r.Lines[0].Name = "a|b"
	var out bytes.Buffer
	if err := markdownBench(&out, r); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"4 sections (en); 5 queries made from headings\n\n| | figure | bar | |\n|---|---|---|---|\n| **first** | | | |\n",
		"| a\\|b | 12.3 × | ≥ 10: kept |  |\n| time | 6.500 ms | ≤ 5: MISSED | noisy |\n| **second** | | | |\n",
		"\n- not measured: growth: no more\n", "\n- method: by hand\n",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is not in\n%s", want, &out)
		}
	}
	if strings.Contains(out.String(), "\x1b") {
		t.Error("a peer's words stay as they are")
	}
}
