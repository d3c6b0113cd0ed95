package main

import (
	"bytes"
	"strings"
	"testing"

	speed "github.com/sagasu-search/sagasu/framework/bench"
)

func TestPrintBench(t *testing.T) {
	ten, five := 10.0, 5.0
	r := &speed.Report{
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
	var out bytes.Buffer
	if err := printBench(&out, r); err != nil {
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
