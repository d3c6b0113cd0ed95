package cli

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/hashicorp/go-hclog"
)

func TestLogLines(t *testing.T) {
	var out strings.Builder
	log := hclog.New(&hclog.LoggerOptions{Name: "sagasu", Output: logLines{&out}, JSONFormat: true})
	log.Info(`says "@level": twice`, "tool", "manual_find")
	var line map[string]any
	if err := json.Unmarshal([]byte(out.String()), &line); err != nil {
		t.Fatalf("%v: %s", err, &out)
	}
	if line["level"] != "info" || line["ts"] == nil || line["msg"] != `says "@level": twice` || line["tool"] != "manual_find" {
		t.Errorf("line %s", &out)
	}
}
