package manuals

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// What a client is told of a tool changes only on purpose: run with -update
// and read the difference.
func TestTheExamplesOfToolsAreTaken(t *testing.T) {
	for name, tool := range echoes() {
		if tool.Hints != toolset.Reading || tool.Group != "manual" {
			t.Errorf("%s: hints %+v, group %s", name, tool.Hints, tool.Group)
		}
		_, example, ok := strings.Cut(tool.Description, "Example: ")
		if !ok {
			t.Errorf("%s: the description has no example", name)
		}
		for _, call := range []string{example, string(tool.Example)} {
			if _, _, err := tool.Call(t.Context(), json.RawMessage(call)); err != nil {
				t.Errorf("%s: the example %s is refused: %v", name, call, err)
			}
		}
	}
}
