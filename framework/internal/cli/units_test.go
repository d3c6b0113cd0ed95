package cli

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// units are what a text is made of; each is repeated to a text that no plan, rule or pattern expects.
var units = []string{
	"あ", "ア", "漢", "払い", "7", "７", "a", "第1条", "E-1042 ", "5円", "30日 ", "返品の期限は", "保証以外", "except x ", "not a ", "if ",
	`"`, `""`, `"a" `, "「", "「あ」", "『", "“", "＂", "(", "()", ")", "（", "【", "[", "[a](b)", "{", "<", "<b>",
	"-", "-a ", "－", " -", `-"a" `, "--", "*", "a* ", "?", "a AND ", "OR ", "NOT ", `*N30"a b" `, `*ONP3"a b" `, "title:", "(a OR ", "(a AND b) ",
	"aA", "a_", "a-", "a::", "1-2.", "|", "| a ", "# ", "\n# a\n", "```", "~", "_", "^", "\\", "/", ".", ",", "、", "。", "別表1を参照。", "see section 1. ", "3 to 5 ", "1,", "1.",
	"\n", " ", "　", "\u3099", "\u0301", "👍", "\u200b", "é", "ß", "ﾊﾞ",
}

// repeated returns a unit repeated to length characters.
func repeated(unit string, length int) string {
	runes := []rune(unit)
	return string([]rune(strings.Repeat(unit, length/len(runes)+1))[:length])
}

// everyProduct makes a workspace with the samples of every product, and returns the flags that name it.
func everyProduct(t *testing.T) (root, logic string, flags []string) {
	t.Helper()
	root, logic = t.TempDir(), t.TempDir()
	for to, from := range map[string]string{
		root: "workspace", filepath.Join(root, "vault"): "vault", filepath.Join(root, "publications"): "publications", logic: "logic/repo",
	} {
		if err := os.CopyFS(to, os.DirFS(filepath.Join(repository(t), "testdata", filepath.FromSlash(from)))); err != nil {
			t.Fatal(err)
		}
	}
	return root, logic, []string{"--workspace", root, "--logic-root", logic, "--toolsets", "manual,vault,bridge,logic,rrf,rrf-human"}
}

// withText returns the calls that an example becomes when each of its texts in turn is replaced.
func withText(t *testing.T, tool toolset.Tool, text string) (calls []map[string]any) {
	t.Helper()
	var count func(v any) int
	var put func(v any, n *int) any
	count = func(v any) (n int) {
		switch v := v.(type) {
		case string:
			return 1
		case map[string]any:
			for _, x := range v {
				n += count(x)
			}
		case []any:
			for _, x := range v {
				n += count(x)
			}
		}
		return n
	}
	put = func(v any, n *int) any {
		switch v := v.(type) {
		case string:
			if *n--; *n == -1 {
				return text
			}
		case map[string]any:
			for _, name := range slices.Sorted(maps.Keys(v)) {
				v[name] = put(v[name], n)
			}
		case []any:
			for i := range v {
				v[i] = put(v[i], n)
			}
		}
		return v
	}
	for i := 0; ; i++ {
		var call map[string]any
		if err := json.Unmarshal(tool.Example, &call); err != nil {
			t.Fatal(err)
		}
		if i == count(call) {
			return calls
		}
		n := i
		put(call, &n)
		calls = append(calls, call)
	}
}

// An error repeats little of what the call said.
func TestErrorsRepeatLittle(t *testing.T) {
	const most = 4000 // characters of an error
	_, _, flags := everyProduct(t)
	c := connect(t, environment(t), flags...)
	failures := 0
	for _, tool := range allTools(t) {
		for _, arguments := range withText(t, tool, strings.Repeat("x", 20_000)) {
			var got any
			if !c.call(tool.Name, arguments, &got) {
				continue
			}
			failures++
			if data, _ := json.Marshal(got); len(data) > most {
				t.Errorf("%s: an error of %d characters: %.300s …", tool.Name, len(data), data)
			}
		}
	}
	if failures < 20 {
		t.Errorf("%d calls failed", failures)
	}
}
