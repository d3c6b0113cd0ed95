package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
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
