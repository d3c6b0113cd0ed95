package toolset_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

type countArgs struct {
	Text  string `json:"text" required:"a text" filled:"" doc:"The text to count in."`
	Limit int    `json:"limit" min:"1" max:"100" default:"20"`
}

type countResult struct {
	Words int    `json:"words"`
	Note  string `json:"note,omitempty"`
}

func ExampleDefine() {
	tool := toolset.Define(toolset.Tool{
		Name: "count", Title: "Count words", Description: "Count the words of a text, up to limit.",
		Example: json.RawMessage(`{"text": "two words"}`),
		Hints:   toolset.Reading,
	}, func(_ context.Context, args countArgs) (*countResult, error) {
		return &countResult{Words: min(len(strings.Fields(args.Text)), args.Limit)}, nil
	})
	fmt.Println(string(tool.Input()))
	for _, call := range []string{`{"text": "one two three"}`, `{"text": "one two", "limit": 0}`, `{"texts": "one"}`} {
		result, _, failed := tool.Call(context.Background(), json.RawMessage(call))
		if failed != nil {
			example, _ := json.Marshal(failed.Details["example"])
			fmt.Printf("%s: %s\n", failed.Message, example)
			continue
		}
		raw, _ := json.Marshal(result)
		fmt.Println(string(raw))
	}
	// Output:
	// {"type":"object","properties":{"text":{"type":"string","description":"The text to count in."},"limit":{"type":["integer","null"],"default":20,"minimum":1,"maximum":100}},"required":["text"],"additionalProperties":false}
	// {"words":3}
	// limit must be an integer from 1 to 100: {"limit":1,"text":"one two"}
	// texts is not an argument here; did you mean text?: {"text":"one"}
}
