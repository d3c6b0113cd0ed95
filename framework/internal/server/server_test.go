package server

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/go-hclog"
	"github.com/mark3labs/mcp-go/mcp"

	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/sdk/x/rest"
)

func TestUnknownTool(t *testing.T) {
	s := (&fakeTools{}).serve()
	err := refused(t, s, "notes_fnd", `{}`)
	if err.Code != toolset.NotFound {
		t.Errorf("code %s", err.Code)
	}
	if close, _ := err.Details["did_you_mean"].([]string); len(close) == 0 || close[0] != "notes_find" {
		t.Errorf("did_you_mean %v", err.Details["did_you_mean"])
	}
	if far := refused(t, s, "zzzzzzzzzz", ``); far.Details["did_you_mean"] != nil {
		t.Errorf("a far-off name was guessed: %v", far.Details)
	}
}

func TestFailures(t *testing.T) {
	cases := []struct {
		name string
		find func(context.Context, findArgs) (*foundNotes, error)
		want toolset.Code
	}{
		{"fault", func(context.Context, findArgs) (*foundNotes, error) {
			return nil, fmt.Errorf("wrapped: %w", toolset.Errorf(toolset.NotFound, "no such manual"))
		}, toolset.NotFound},
		{"plain error", func(context.Context, findArgs) (*foundNotes, error) {
			return nil, errors.New("disk on fire")
		}, toolset.Internal},
		{"panic", func(context.Context, findArgs) (*foundNotes, error) { panic("disk on fire") }, toolset.Internal},
		{"cancelled", func(context.Context, findArgs) (*foundNotes, error) {
			return nil, fmt.Errorf("call: %w", context.Canceled)
		}, toolset.NotAvailable},
		{"too slow", func(context.Context, findArgs) (*foundNotes, error) {
			return nil, context.DeadlineExceeded
		}, toolset.NotAvailable},
	}
	for _, c := range cases {
		var out bytes.Buffer
		s := New(Options{Sets: []toolset.Toolset{(&fakeTools{find: c.find}).toolset()}, Logger: jsonLogger(&out)})
		err := refused(t, s, "notes_find", `{"query":"秘密"}`)
		if err.Code != c.want {
			t.Errorf("%s: code %s, want %s", c.name, err.Code, c.want)
		}
		if strings.Contains(err.Message, "fire") {
			t.Errorf("%s: the cause reached the caller: %s", c.name, err.Message)
		}
		if internal := c.want == toolset.Internal; internal != strings.Contains(out.String(), "disk on fire") {
			t.Errorf("%s: log %s", c.name, out.String())
		}
	}
}

// unwritable is a result that panics when it is encoded.
type unwritable struct{}

func (unwritable) MarshalJSON() ([]byte, error) { panic("a broken result") }

// A result that cannot be written is a failure of its call, and the session goes on.
func TestAResultThatPanicsIsAFailure(t *testing.T) {
	var out bytes.Buffer
	tool := toolset.Define(toolset.Tool{Name: "notes_break", Hints: toolset.Reading, Group: fakeGroup},
		func(context.Context, struct{}) (unwritable, error) { return unwritable{}, nil })
	s := New(Options{Sets: []toolset.Toolset{{Tools: []toolset.Tool{tool}}},
		Logger: hclog.New(&hclog.LoggerOptions{Output: &out, Level: hclog.Debug})})
	result, err := s.handler(tool, transport{})(t.Context(), mcp.CallToolRequest{})
	if err != nil || !result.IsError || !strings.Contains(fmt.Sprint(result.Content), `"internal"`) {
		t.Errorf("%+v, %v", result, err)
	}
	if said := out.String(); !strings.Contains(said, "a broken result") || !strings.Contains(said, "server_test.go") {
		t.Errorf("logged %s", said)
	}
}

// The stack of a tool's panic stands in the log at debug alone.
func TestThePlaceOfAPanicIsLoggedAtDebug(t *testing.T) {
	for _, level := range []hclog.Level{hclog.Info, hclog.Debug} {
		var out bytes.Buffer
		find := func(context.Context, findArgs) (*foundNotes, error) { panic("disk on fire") }
		s := New(Options{Sets: []toolset.Toolset{(&fakeTools{find: find}).toolset()},
			Logger: hclog.New(&hclog.LoggerOptions{Output: &out, Level: level})})
		refused(t, s, "notes_find", `{"query":"q"}`)
		if located := strings.Contains(out.String(), "server_test.go"); located != (level == hclog.Debug) {
			t.Errorf("at %v: %s", level, &out)
		}
	}
}

func jsonLogger(out *bytes.Buffer) hclog.Logger {
	return hclog.New(&hclog.LoggerOptions{Output: out, JSONFormat: true, Level: hclog.Info})
}

func TestLogHoldsFiguresAndNoText(t *testing.T) {
	var out bytes.Buffer
	finder := &fakeTools{find: func(context.Context, findArgs) (*foundNotes, error) { return &foundNotes{"t-secret"}, nil }}
	s := New(Options{Sets: []toolset.Toolset{finder.toolset()}, Logger: jsonLogger(&out)})
	calls := []struct{ tool, args string }{
		{"notes_find", `{"query":"秘密"}`},
		{"notes_find", `{"query":"秘密","use_cache":"秘密"}`},
		{"notes_read", `{"path":"a//b.md","ref":{"path":"秘密.md"}}`},
	}
	for _, c := range calls {
		_, _ = s.Call(t.Context(), c.tool, json.RawMessage(c.args), nil) // the second is refused; the log tells
	}
	want := []map[string]any{
		{"tool": "notes_find", "ok": true, "candidates": 7.0},
		{"tool": "notes_find", "ok": false, "code": "invalid_parameter"},
		{"tool": "notes_read", "ok": true, "path": "a//b.md"},
	}
	got := []map[string]any{}
	for line := range strings.Lines(out.String()) {
		entry := map[string]any{}
		if err := json.Unmarshal([]byte(line), &entry); err != nil {
			t.Fatal(err)
		}
		if _, ok := entry["elapsed_ms"].(float64); !ok {
			t.Errorf("no elapsed_ms in %s", line)
		}
		for name := range entry {
			if name == "elapsed_ms" || strings.HasPrefix(name, "@") {
				delete(entry, name)
			}
		}
		got = append(got, entry)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("log (-want +got):\n%s", diff)
	}
	for _, private := range []string{"秘密", "本文", "t-secret"} {
		if strings.Contains(out.String(), private) {
			t.Errorf("the log holds %q", private)
		}
	}
}

func TestResultForms(t *testing.T) {
	for form, want := range map[ResultForm]struct{ structured, text bool }{
		"": {true, true}, formBoth: {true, true}, formStructured: {true, false}, formText: {false, true},
	} {
		s := New(Options{Sets: []toolset.Toolset{(&fakeTools{}).toolset()}, ResultForm: form})
		result, failed := s.Call(t.Context(), "notes_read", json.RawMessage(`{"path":"a.md"}`), nil)
		wire, err := s.encode(t.Context(), result, failed)
		if err != nil {
			t.Fatal(err)
		}
		if got := wire.StructuredContent != nil; got != want.structured {
			t.Errorf("%q: structured %v", form, got)
		}
		if got := len(wire.Content) == 1; got != want.text {
			t.Errorf("%q: text %v", form, got)
		}
		if want.text {
			if text := wire.Content[0].(mcp.TextContent).Text; !strings.Contains(text, "<b>本文</b>") {
				t.Errorf("%q: text %s", form, text)
			}
		}
		list := &mcp.ListToolsResult{Tools: []mcp.Tool{s.describe(s.tools[0], transport{})}}
		s.fitTools(t.Context(), nil, nil, list)
		if promised := list.Tools[0].RawOutputSchema != nil; promised != want.structured {
			t.Errorf("%q: output schema %v", form, promised)
		}
	}
}

func TestSessionsRemember(t *testing.T) {
	f := &fakeTools{}
	s := f.serve()
	read := func(session *toolset.Session) *[]string {
		if _, err := s.Call(t.Context(), "notes_read", json.RawMessage(`{"path":"a.md"}`), session); err != nil {
			t.Fatal(err)
		}
		return f.session
	}
	session := &toolset.Session{}
	if first := read(session); first == nil || read(session) != first || read(&toolset.Session{}) == first || read(nil) != nil {
		t.Error("calls of a session share what it remembers, and no others do")
	}
}

func TestAnnounceReachesWhoIsWaiting(t *testing.T) {
	s := (&fakeTools{}).serve()
	s.Announce(1, 2, "nobody listens")
	told := []int{0, 0}
	first := s.audience.join(func(done, _ int, _ string) { told[0] = done })
	second := s.audience.join(func(done, _ int, _ string) { told[1] = done })
	s.Announce(3, 4, "both listen")
	first()
	s.Announce(4, 4, "one listens")
	second()
	s.Announce(5, 5, "nobody listens")
	if diff := cmp.Diff([]int{3, 4}, told); diff != "" {
		t.Errorf("told (-want +got):\n%s", diff)
	}
}

func TestACallIsUnderWayUntilItsAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var acts atomic.Int32
		idle := rest.After(time.Second, func() { acts.Add(1) })
		defer idle.Stop()
		s := (&fakeTools{find: func(context.Context, findArgs) (*foundNotes, error) {
			time.Sleep(time.Minute)
			return &foundNotes{}, nil
		}}).serve()
		s.Note(idle)
		if _, failed := s.Call(t.Context(), "notes_find", json.RawMessage(`{"query": "q"}`), nil); failed != nil {
			t.Fatal(failed)
		}
		if acts.Load() != 0 {
			t.Error("a call is taken for rest")
		}
		time.Sleep(time.Second)
		if synctest.Wait(); acts.Load() != 1 {
			t.Error("an answered call is taken for work")
		}
	})
}
