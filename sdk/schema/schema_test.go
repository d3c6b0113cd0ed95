package schema_test

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/sagasu-search/sagasu/sdk/schema"
)

// The promised members: a result may gain others, but must not lose any of these.
func TestContract(t *testing.T) {
	evidence := []string{"id", "kind", "path", "line", "excerpt", "relevance", "source_priority"}
	tests := []struct {
		tool            schema.Tool
		required, gives []string
	}{
		{schema.FindLogicEvidence(), []string{"question", "scope"}, []string{"evidence", "unresolved_reasons", "search_scope"}},
		{schema.AskLogicQA(), []string{"question", "evidence"}, []string{"answer", "evidence", "confidence", "spec_mismatch", "compared", "unknowns", "status"}},
	}
	type object struct {
		Properties map[string]struct {
			Items struct{ Required []string }
		}
		Required   []string
		AnyOf      []struct{ Required []string }
		Additional any `json:"additionalProperties"`
	}
	for _, tt := range tests {
		var in, out object
		if err := json.Unmarshal(tt.tool.Input, &in); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(tt.tool.Output, &out); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(in.Required, tt.required) || in.Additional != false {
			t.Errorf("%s takes %v, others %v", tt.tool.Name, in.Required, in.Additional)
		}
		if len(out.AnyOf) != 2 || !slices.Equal(out.AnyOf[0].Required, tt.gives) || !slices.Equal(out.AnyOf[1].Required, []string{"error"}) || out.Additional != nil {
			t.Errorf("%s gives %+v", tt.tool.Name, out.AnyOf)
		}
	}
	var in, out object
	_ = json.Unmarshal(schema.AskLogicQA().Input, &in)
	_ = json.Unmarshal(schema.FindLogicEvidence().Output, &out)
	if !slices.Equal(in.Properties["evidence"].Items.Required, evidence) || !slices.Equal(out.Properties["evidence"].Items.Required, evidence) {
		t.Error("what one tool gives is not what the other takes")
	}
}
