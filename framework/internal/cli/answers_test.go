package cli

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/framework/internal/search"
)

// notice contradicts the sample, which says that the recycle bin keeps a file for 30 days.
const notice = `# お知らせ

## ごみ箱の保存日数

共有フォルダのごみ箱では、消したファイルは 60 日残り、その後は自動で消えます。
`

// asked are the searches whose whole answers are kept in testdata/answers, by file name.
var asked = []struct {
	name      string
	arguments map[string]any
}{
	{"ja-exceptions", map[string]any{"query": "保険金が支払われない場合"}},
	{"ja-contradiction", map[string]any{"query": "消したファイルはごみ箱に何日残りますか"}},
	{"ja-gap", map[string]any{"query": "無停電電源装置の電池の寿命と交換手順"}},
	{"ja-inline", map[string]any{"query": "切り戻しに承認は要りますか", "inline_hits": map[string]any{"limit": 3}}},
	{"ja-one-manual", map[string]any{"query": "免責金額はいくらですか", "manual_id": "ienomori-yakkan"}},
	{"en-claim-graph", map[string]any{"query": "who is eligible for prod access", "include_claim_graph": true}},
	{"en-expands", map[string]any{"query": "what deductible do I pay", "manual_id": "aoba-nas"}},
	{"en-procedure", map[string]any{"query": "how do I replay dead letters"}},
	{"en-compare", map[string]any{"query": "difference between plan and run --dry-run"}},
	{"en-cut", map[string]any{"query": "what is not covered by the warranty", "budget": map[string]any{"max_candidates": 10}}},
}

// shown are how many rows of each kind are kept.
var shown = map[string]int{
	"candidates": 3, "integrated_top": 3, "claims": 50, "evidences": 3, "edges": 5, "conflicts": 50, "gaps": 50, "unscanned": 3,
}

// What an agent is told changes only on purpose: run with -update and read the difference.
func TestAnswers(t *testing.T) {
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(sample(t))); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "manuals", "aoba-nas", "15-oshirase.md"), []byte(notice), 0o600); err != nil {
		t.Fatal(err)
	}
	c := connect(t, environment(t), "--workspace", dir, "--read-only", "--strategy-time-ms", "20000")
	for _, ask := range asked {
		t.Run(ask.name, func(t *testing.T) {
			path := filepath.Join("testdata", "answers", ask.name+".json")
			golden(t, path, string(fullAnswer(t, c, ask.arguments)))
		})
	}
}

// fullAnswer returns an answer and what its trace holds, as JSON that is the same in every run.
func fullAnswer(t *testing.T, c *client, arguments map[string]any) []byte {
	t.Helper()
	raw := must[json.RawMessage](c, "manual_find", arguments)
	var answer search.Answer
	if err := json.Unmarshal(raw, &answer); err != nil {
		t.Fatal(err)
	}
	hits := map[string]any{}
	for kind, limit := range shown {
		page := must[map[string]any](c, "manual_hits", map[string]any{"trace_id": answer.TraceID, "kind": kind, "limit": limit})
		hits[kind] = page
	}
	whole := map[string]any{"asked": arguments, "answer": raw, "hits": hits}
	out, err := json.Marshal(whole)
	if err != nil {
		t.Fatal(err)
	}
	return stable(t, out, answer.TraceID)
}

// stable masks the trace's id, rounds fractions and indents.
func stable(t *testing.T, raw []byte, trace string) []byte {
	t.Helper()
	var value any
	if err := json.Unmarshal(bytes.ReplaceAll(raw, []byte(trace), []byte("TRACE")), &value); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(threeDecimals(value)); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// threeDecimals returns a decoded JSON value with every number to three decimals.
func threeDecimals(value any) any {
	switch v := value.(type) {
	case float64:
		return math.Round(v*1000) / 1000
	case []any:
		for i := range v {
			v[i] = threeDecimals(v[i])
		}
	case map[string]any:
		for key := range v {
			v[key] = threeDecimals(v[key])
		}
	}
	return value
}

// Every kept answer belongs to a search that is asked, and all kinds of questions are among them.
func TestAnswersAreAllAsked(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("testdata", "answers", "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	var kept, names []string
	for _, file := range files {
		kept = append(kept, strings.TrimSuffix(filepath.Base(file), ".json"))
	}
	for _, ask := range asked {
		names = append(names, ask.name)
	}
	slices.Sort(names)
	if diff := cmp.Diff(names, kept); diff != "" {
		t.Errorf("asked and kept (-asked +kept):\n%s", diff)
	}
}
