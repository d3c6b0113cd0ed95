package search

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/sdk/sdktest"
)

// asked is a context that has ended, and counts the calls of Err.
type asked struct {
	context.Context
	times int
}

func (a *asked) Err() error {
	a.times++
	return context.DeadlineExceeded
}

// The search for the best line of a huge file is limited to a step budget, and after the deadline to the steps that a
// small file takes.
func TestTheSearchForALineIsBounded(t *testing.T) {
	line := strings.Repeat("filler ", 40) + "\n"
	for name, tc := range map[string]struct {
		lines int // before the best one
		terms int
		ended bool
		best  int
		whole bool
	}{
		"a small file":                     {100, 2, false, 101, true},
		"a small file past the deadline":   {100, 2, true, 101, true},
		"a long file":                      {4_000, 2, false, 4001, true},
		"a long file past the deadline":    {4_000, 2, true, 1, false},
		"a long file and a thousand terms": {4_000, 1000, false, 1, false},
	} {
		terms := []string{"sought"}
		for i := 1; i < tc.terms; i++ {
			terms = append(terms, fmt.Sprintf("term%d", i))
		}
		ctx := &asked{Context: t.Context()}
		var in context.Context = t.Context()
		if tc.ended {
			in = ctx
		}
		best, whole := bestLine(in, strings.Repeat(line, tc.lines)+"sought\n", terms)
		if best != tc.best || whole != tc.whole || ctx.times > 1 {
			t.Errorf("%s: line %d, %t, asked %d times", name, best, whole, ctx.times)
		}
	}
}

func TestALineNotSoughtIsWarnedOf(t *testing.T) {
	if testing.Short() {
		t.Skip("nothing runs at once")
	}
	body := strings.Repeat(strings.Repeat("filler ", 40)+"\n", 4_000) + "sought\n"
	e := engine(t, []sdktest.Section{{Path: "a.json", Heading: "a", Body: body}}, fakes{list: []words{exact}})
	req := request("sought")
	for i := range 250 {
		req.Query += fmt.Sprintf(" filler%d", i)
	}
	answer, err := find(t, e, req)
	if err != nil || answer.Summary.Candidates != 1 || slices.Contains(answer.Warnings, linesNotSought) {
		t.Errorf("one term matched: %+v, %v", answer, err)
	}
	wordy := exact
	wordy.name, wordy.terms = "wordy", 250
	e = engine(t, []sdktest.Section{{Path: "a.json", Heading: "a", Body: body}}, fakes{list: []words{wordy}})
	answer, err = find(t, e, req)
	if err != nil || answer.Summary.Candidates != 1 || !slices.Contains(answer.Warnings, linesNotSought) {
		t.Errorf("many terms matched: %+v, %v", answer, err)
	}
}

func TestSnippetShowsTheTextOfLinks(t *testing.T) {
	got := snippet("See [the disk](disk.md#disk) and ![a disk](d.png), not [1] (disk).\n", []string{"disk"}, nil, 200)
	want := Snippet{Text: "See the disk and a disk, not [1] (disk).", Marks: [][2]int{{8, 12}, {19, 23}, {34, 38}}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	for source, want := range map[string]string{
		"[`std`](s.md)[`::`](c.md)[`disk`](d.md)": "`std::disk`", "`std::`[`disk`](d.md)`()`": "`std::disk()`",
		"[`disk`](d.md), `a` [`b`](b.md)": "`disk`, `a` `b`", "`a` [disk](d.md)": "`a` disk", "`[` disk `[`": "`[` disk `[`",
	} {
		if got := snippet(source, nil, []string{"disk"}, 200).Text; got != want {
			t.Errorf("%q is shown as %q, want %q", source, got, want)
		}
	}
}

func TestSnippetMarksWords(t *testing.T) {
	for _, tc := range []struct{ text, word, want string }{
		{"A reader of R reads R-data.", "r", "R R"}, {"Reshape two shapes.", "shape", "shape"},
		{"Disks and R_DISK.", "disk", "Disk DISK"}, {"1 of 10 and 第1条", "1", "1 1"}, {"初期化の期", "期", "期 期"},
	} {
		s := snippet(tc.text, []string{tc.word}, []string{tc.word}, 200)
		var got []string
		for _, m := range s.Marks {
			got = append(got, s.Text[m[0]:m[1]])
		}
		if got := strings.Join(got, " "); got != tc.want {
			t.Errorf("%q marks %q in %q, want %q", tc.word, got, tc.text, tc.want)
		}
	}
}
