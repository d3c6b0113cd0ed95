package cli

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/sagasu-search/sagasu/framework/internal/search"
)

// A trace is served, and written, when the snapshot that it was made from is gone.
func TestTracesOutliveEdits(t *testing.T) {
	workspace, file := oneManual(t, "# 保証\n\n| 保証期間は購入日から30日です。 |\n")
	c := connect(t, environment(t), "--workspace", workspace)
	request := map[string]any{"query": "保証期間は何日ですか", "use_cache": false}
	first := must[search.Answer](c, "manual_find", request)
	for _, days := range []string{"40", "50", "60"} {
		text := "# 保証\n\n| 保証期間は購入日から" + days + "日です。 |\n" + strings.Repeat("\nほかの定め。\n", 100)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		must[search.Answer](c, "manual_find", request)
	}
	hits := must[json.RawMessage](c, "manual_hits", map[string]any{"trace_id": first.TraceID, "kind": "claims"})
	if !strings.Contains(string(hits), "保証期間は購入日から30日です。") {
		t.Errorf("claims %s", hits)
	}
}
