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
		if id, _ := marshal(got.ID); string(id) != tc.id || got.Error["code"] != tc.code || !strings.Contains(says, tc.says) {
			t.Errorf("%s: %+v", tc.params, got)
		}
	}
}
