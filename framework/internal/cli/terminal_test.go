package cli

import (
	"testing"

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
