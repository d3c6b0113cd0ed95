package bench

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func timesOf(ms ...int) times {
	var out times
	for _, x := range ms {
		out = append(out, time.Duration(x)*time.Millisecond)
	}
	return out
}

func TestLess(t *testing.T) {
	if diff := cmp.Diff(timesOf(2, -1), timesOf(5, 1).less(timesOf(3, 2))); diff != "" {
		t.Error(diff)
	}
}

// measured returns a report with all kinds of figures.
func measured() *Report {
	r := &Report{Machine: "a chip", Load: [2]string{"0.50", "unknown"}, Data: "1 manual", Method: "by hand",
		Notes: []string{"grep: a fake"}}
	p := r.part("speed")
	p.faster(bleve, timesOf(2), timesOf(24), 10)
	p.add("exactly enough", 10, "×").atLeast(10)
	p.add("too slow", 9, "×").atLeast(10)
	p.ms("quick", 4*time.Millisecond).atMost(5)
	p.seconds("late", 2*time.Second).atMost(0.4)
	p = r.part("quality")
	p.add("only reported", 123.4, "MB")
	p.add("score", 0.71234, "")
	p.median("all", timesOf(2, 4, 90)).atMost(5)
	p.p95("all", timesOf(2, 4, 90)).atMost(60).Note = "noisy"
	return r
}

func TestBars(t *testing.T) {
	var missed []string
	for _, l := range measured().Missed() {
		missed = append(missed, l.Name)
	}
	if diff := cmp.Diff([]string{"too slow", "late", "all, p95"}, missed); diff != "" {
		t.Error(diff)
	}
}

func TestMarkdown(t *testing.T) {
	var out strings.Builder
	if err := measured().WriteMarkdown(&out); err != nil {
		t.Fatal(err)
	}
	want := `a chip; load average 0.50 before, unknown after
1 manual

| | figure | bar | |
|---|---|---|---|
| **speed** | | | |
| sagasu faster than bleve | 12.0 × | ≥ 10: kept |  |
| exactly enough | 10.0 × | ≥ 10: kept |  |
| too slow | 9.000 × | ≥ 10: MISSED |  |
| quick | 4.000 ms | ≤ 5: kept |  |
| late | 2.000 s | ≤ 0.4: MISSED |  |
| **quality** | | | |
| only reported | 123 MB |  |  |
| score | 0.7123 |  |  |
| all, median | 4.000 ms | ≤ 5: kept |  |
| all, p95 | 90.0 ms | ≤ 60: MISSED | noisy |

- grep: a fake
- method: by hand
`
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Error(diff)
	}
}
