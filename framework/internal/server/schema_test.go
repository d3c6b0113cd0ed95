package server

import (
	"context"
	"testing"

	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// writingTools returns a toolset of one tool that writes.
func writingTools() toolset.Toolset {
	return toolset.Toolset{Instructions: "Write notes.", Tools: []toolset.Tool{
		toolset.Define(toolset.Tool{Name: "drafts_write", Group: "drafts"}, func(context.Context, struct{}) (*note, error) { return &note{}, nil }),
	}}
}

func TestToolsetsAndReadOnly(t *testing.T) {
	o := Options{Sets: []toolset.Toolset{(&fakeTools{}).toolset(), writingTools()}}
	for _, c := range []struct {
		groups       []string
		readOnly     bool
		tools        int
		instructions string
	}{
		{nil, false, 4, "Take notes.\n\nWrite notes."},
		{nil, true, 3, "Take notes."},
		{[]string{"drafts"}, false, 1, "Write notes."},
		{[]string{"drafts"}, true, 0, ""},
		{[]string{fakeGroup}, true, 3, "Take notes."},
	} {
		o.Toolsets, o.ReadOnly = c.groups, c.readOnly
		s := New(o)
		if got := len(s.Tools()); got != c.tools || s.instructions() != c.instructions {
			t.Errorf("%v, read-only %t: %d tools, instructions %q", c.groups, c.readOnly, got, s.instructions())
		}
	}
}
