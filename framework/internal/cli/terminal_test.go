package cli

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/framework/internal/search"
)

func TestPlain(t *testing.T) {
	for text, want := range map[string]string{
		"one\r\ntwo\tthree": "one  two three", "lone\rreturn": "lone return", "\x1b[31mred\a": "\ufffd[31mred\ufffd",
	} {
		if got := plain(text); got != want {
			t.Errorf("%q is shown as %q, want %q", text, got, want)
		}
	}
	if got := (style{}).snippet(search.Snippet{Text: "clams.\r\nIt eats", Marks: [][2]int{{8, 10}}}); got != "clams. [It] eats" {
		t.Errorf("a snippet is shown as %q", got)
	}
}

func TestStepLines(t *testing.T) {
	var log strings.Builder
	ticks := make(chan time.Time, 1)
	show := stepLines(&log, ticks)
	show("setting 1", 3, 60)
	ticks <- time.Time{}
	show("setting 7", 9, 60)
	show("setting 8", 10, 60)
	if got, want := log.String(), "setting 7 9/60\n"; got != want {
		t.Errorf("the log is %q, want %q", got, want)
	}
}

func TestTable(t *testing.T) {
	var out strings.Builder
	tab := table{w: &out}
	tab.begin("files", "NAME", "WHY")
	tab.row("サイト.zip", "none")
	tab.row("e\u0301.md", "")
	tab.row("copy-of.txt", "a\tb")
	if err := tab.end(); err != nil {
		t.Fatal(err)
	}
	want := "\nfiles\nNAME         WHY\nサイト.zip   none\ne\u0301.md\ncopy-of.txt  a b\n"
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Error(diff)
	}
}
