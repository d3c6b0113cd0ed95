package server

import (
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/sagasu-search/sagasu/framework/internal/patents"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

func TestPromptsNeedTheirTools(t *testing.T) {
	set := new(patents.Module).Toolset()
	for _, tc := range []struct {
		toolsets []string
		served   bool
	}{{nil, true}, {[]string{"rrf"}, true}, {[]string{"rrf-human"}, false}, {[]string{"manual"}, false}} {
		s := New(Options{Sets: []toolset.Toolset{set}, Toolsets: tc.toolsets})
		if got := len(s.prompts()) == len(set.Prompts); got != tc.served || strings.Contains(s.instructions(), set.Instructions) != tc.served {
			t.Errorf("%v: prompts and instructions %t", tc.toolsets, got)
		}
	}
}

// A prompt without its argument is the caller's mistake, not the server's.
func TestAPromptWithoutItsArgument(t *testing.T) {
	defer goleak.VerifyNone(t)
	c := connect(t, t.Context(), New(Options{Sets: []toolset.Toolset{new(patents.Module).Toolset()}}))
	defer c.end()
	for _, tc := range []struct {
		id, params string
		code       any
		says       string
	}{
		{`1`, `{"name":"patent_search_en"}`, -32602.0, "invention is required"},
		{`"two"`, `{"name":"patent_search_ja","arguments":{"invention":" "}}`, -32602.0, "invention is required"},
		{`1`, `{"name":"patent_search_en","arguments":{"invention":"a mask"}}`, nil, ""},
		{`3`, `{"name":"patent_search"}`, -32602.0, "not found"},
		{`4`, `5`, -32600.0, ""},
	} {
		c.send(`{"jsonrpc":"2.0","id":` + tc.id + `,"method":"prompts/get","params":` + tc.params + `}`)
		got := c.receive()
		says, _ := got.Error["message"].(string)
		if id, _ := toolset.Marshal(got.ID); string(id) != tc.id || got.Error["code"] != tc.code || !strings.Contains(says, tc.says) {
			t.Errorf("%s: %+v", tc.params, got)
		}
	}
}

// A line with an optional argument is left out with it, and an argument is put in as it is.
func TestAPromptWithSeveralArguments(t *testing.T) {
	defer goleak.VerifyNone(t)
	set := (&fakeTools{}).toolset()
	set.Prompts = []toolset.Prompt{
		{Name: "compare", Text: "Compare {{a}} and {{b}}.\nLook at {{aspect}} of {{a}}.\nCall notes_ls.", Arguments: []toolset.Variable{
			{Name: "a"}, {Name: "b"}, {Name: "aspect", Optional: true},
		}},
		{Name: "off", Text: "Call `drafts_write`."},
	}
	set.Tools = append(set.Tools, writingTools().Tools...)
	c := connect(t, t.Context(), New(Options{Sets: []toolset.Toolset{set}, ReadOnly: true}))
	defer c.end()
	for given, want := range map[string]string{
		`{"a":"x","b":" {{a}} "}`:               "Compare x and {{a}}.\nCall notes_ls.",
		`{"a":"x","b":"{{aspect}}"}`:            "Compare x and {{aspect}}.\nCall notes_ls.",
		`{"a":"x","b":"y","aspect":"{{b}} 料金"}`: "Compare x and y.\nLook at {{b}} 料金 of x.\nCall notes_ls.",
		`{"a":"x"}`: "",
	} {
		got := c.ask("prompts/get", `{"name":"compare","arguments":`+given+`}`)
		text := ""
		if len(got.Result.Messages) == 1 {
			text = got.Result.Messages[0].Content.Text
		}
		if text != want || (got.Error["code"] == -32602.0) != (want == "") {
			t.Errorf("%s: %q, %v", given, text, got.Error)
		}
	}
	listed := c.ask("prompts/list", `{}`).Result.Prompts
	if len(listed) != 1 || len(listed[0].Arguments) != 3 || listed[0].Arguments[2].Required || !listed[0].Arguments[0].Required {
		t.Errorf("listed: %+v", listed)
	}
}

// The name of one tool may be a part of another's.
func TestOnlyWholeNamesAreNames(t *testing.T) {
	set := toolset.Toolset{Tools: []toolset.Tool{{Name: "search_fulltext"}}}
	s := New(Options{})
	for text, want := range map[string]bool{
		"rrf_search_fulltext_raw": false, "search_fulltexts": false, "`search_fulltext`を呼ぶ": true, "search_fulltext。": true,
	} {
		if got := s.namesOff(set, text); got != want {
			t.Errorf("%s names it: %t", text, got)
		}
	}
}
