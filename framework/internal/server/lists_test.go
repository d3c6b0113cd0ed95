package server

import (
	"strconv"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// A client that keeps the lists of a server finds them the same again, also of another process.
func TestListsAreTheSameEachTime(t *testing.T) {
	defer goleak.VerifyNone(t)
	set := func() toolset.Toolset {
		set := (&shelf{scheme: "notes", paths: []string{"b.md", "c.md"}}).toolset()
		for i := range 50 {
			tool := set.Tools[0]
			tool.Name = "notes_" + strconv.Itoa(i)
			set.Tools = append(set.Tools, tool)
			set.Prompts = append(set.Prompts, toolset.Prompt{Name: tool.Name})
		}
		return set
	}
	for _, method := range []string{"tools/list", "prompts/list", "resources/list", "resources/templates/list"} {
		var first string
		for range 2 {
			c := connect(t, t.Context(), New(Options{Sets: []toolset.Toolset{set()}}))
			for range 2 {
				c.send(`{"jsonrpc":"2.0","id":1,"method":"` + method + `"}`)
				line, err := c.from.ReadString('\n')
				if err != nil {
					t.Fatal(err)
				}
				if first == "" {
					first = line
				}
				if line != first || strings.Contains(line, "ttlMs") {
					t.Errorf("%s was %.300s and is %.300s", method, first, line)
				}
			}
			c.end()
		}
	}
}

// How long lists may be kept is told to clients of the revision that knows of it.
func TestCacheHints(t *testing.T) {
	defer goleak.VerifyNone(t)
	c := connect(t, t.Context(), (&shelf{scheme: "notes"}).serve())
	defer c.end()
	for method, want := range map[string]int64{
		"tools/list": 3_600_000, "prompts/list": 3_600_000, "resources/templates/list": 3_600_000,
		"resources/list": 0, "resources/read": 0, "server/discover": 3_600_000,
	} {
		got := c.ask(method, `{"uri":"notes://a.md",`+modern+`}`)
		if got.Result.TTL == nil || *got.Result.TTL != want || got.Result.CacheScope != "private" {
			t.Errorf("%s: %+v", method, got)
		}
	}
}

// A client learns how long a result may be where it would cut it before that.
func TestLongResultsAreAnnounced(t *testing.T) {
	s := New(Options{})
	for most, want := range map[int]any{0: nil, 40_000: shownChars, 400_000: 400_000, 900_000: mostChars} {
		tool := (&fakeTools{}).toolset().Tools[0]
		tool.MaxChars = most
		var got any
		if meta := s.describe(tool, transport{}).Meta; meta != nil {
			got = meta.AdditionalFields[maxChars]
		}
		if got != want {
			t.Errorf("%d characters are announced as %v, want %v", most, got, want)
		}
	}
}
