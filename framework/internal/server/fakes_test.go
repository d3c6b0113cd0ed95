package server

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/sagasu-search/sagasu/framework/internal/rootfs"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// fakeTools is a toolset that answers with what a test gives it and keeps what it was asked.
type fakeTools struct {
	proposed []toolset.Action
	find     func(context.Context, findArgs) (*foundNotes, error)
	asked    any
	session  *[]string // of the last read
}

// fakeGroup is the group of the tools of fakeTools.
const fakeGroup = "notes"

type findArgs struct {
	Query    string `json:"query" required:"what to search for" filled:""`
	UseCache *bool  `json:"use_cache"`
	Budget   struct {
		TimeMS int `json:"time_ms" min:"1" default:"60000"`
	} `json:"budget"`
}

type foundNotes struct {
	TraceID string `json:"trace_id"`
}

func (foundNotes) Counters() []any { return []any{"candidates", 7} }

type readArgs struct {
	Path rootfs.Path `json:"path" required:"a path"`
	Ref  struct {
		Path rootfs.Path `json:"path"`
	} `json:"ref"`
}

type note struct {
	Text string           `json:"text"`
	Next []toolset.Action `json:"next_actions,omitempty" schema:"-"`
}

func (n *note) Proposed() []toolset.Action { return n.Next }

func (f *fakeTools) toolset() toolset.Toolset {
	tool := func(name, example string) toolset.Tool {
		return toolset.Tool{Name: name, Example: json.RawMessage(example), Hints: toolset.Reading, Group: fakeGroup, Description: "Example: " + example}
	}
	prompt := toolset.Prompt{Name: "notes", Arguments: []toolset.Variable{{Name: "topic", Description: "The topic."}}, Text: "Take notes on {{topic}}."}
	return toolset.Toolset{Instructions: "Take notes.", Prompts: []toolset.Prompt{prompt}, Tools: []toolset.Tool{
		toolset.Define(tool("notes_ls", `{}`), func(context.Context, struct{}) (*note, error) { return &note{}, nil }),
		toolset.Define(tool("notes_find", `{"query": "q"}`), func(ctx context.Context, args findArgs) (*foundNotes, error) {
			f.asked = args
			if f.find != nil {
				return f.find(ctx, args)
			}
			return &foundNotes{"t-1"}, nil
		}),
		toolset.Define(remembering(tool("notes_read", `{"path": "a.md"}`)), func(ctx context.Context, args readArgs) (*note, error) {
			f.asked, f.session = args, toolset.Remembered(ctx, func() *[]string { return new([]string) })
			return &note{Text: "<b>本文</b>", Next: f.proposed}, nil
		}),
	}}
}

func remembering(t toolset.Tool) toolset.Tool {
	t.Remembers = true
	return t
}

// serve returns a server of these tools alone.
func (f *fakeTools) serve() *Server {
	return New(Options{Sets: []toolset.Toolset{f.toolset()}, Version: "v0-test"})
}

// refused calls a tool that must refuse, and gives the fault as a client reads it.
func refused(t *testing.T, s *Server, tool, args string) *toolset.Error {
	t.Helper()
	result, err := s.Call(t.Context(), tool, json.RawMessage(args), &toolset.Session{})
	if err == nil {
		t.Fatalf("%s %s was answered: %v", tool, args, result)
	}
	return err
}
