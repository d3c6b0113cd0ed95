//go:build soak

package cli

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// What the program does for a call grows as the texts that it is given do, whatever unit they repeat, and as the files
// that it reads do, whatever piece these repeat: no block of its code runs three times as often for twice the length.
// Steps of strategies, which are processes of their own, are not among them.
func TestStepsGrowLinearly(t *testing.T) {
	program := filepath.Join(t.TempDir(), filepath.Base(binary))
	build := exec.Command("go", "build", "-cover", "-covermode=atomic", "-coverpkg=./...", "-o", program, "./cmd/sagasu")
	build.Dir = repository(t)
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	t.Run("texts", func(t *testing.T) {
		growsLinearly(t, 1500, func(length int) map[string]int64 {
			return stepsOf(t, program, everything(t, length), func(c *client) { callWithTexts(t, c, length) })
		})
	})
	t.Run("files", func(t *testing.T) {
		growsLinearly(t, 2000, func(pieces int) map[string]int64 {
			return stepsOf(t, program, bigFiles(t, pieces), callOnBigFiles)
		})
	})
}

// growsLinearly compares the steps for a size with those for twice the size.
func growsLinearly(t *testing.T, size int, steps func(size int) map[string]int64) {
	t.Helper()
	const spare = 200_000 // what a block may run more, since calls are cut by time and files are looked at by the clock
	short, long := steps(size), steps(2*size)
	var all int64
	for block, n := range long {
		all += n
		if n > 3*short[block]+spare {
			t.Errorf("%s ran %d times for a size of %d, %d times for twice that", block, short[block], size, n)
		}
	}
	t.Logf("%d steps in %d blocks", all, len(long))
}

// callWithTexts calls every tool with every unit repeated to length characters.
func callWithTexts(t *testing.T, c *client, length int) {
	t.Helper()
	for _, tool := range allTools(t) {
		for _, unit := range units {
			for _, arguments := range withText(t, tool, repeated(unit, length)) {
				c.call(tool.Name, arguments, new(any))
			}
		}
	}
}

// bigPieces are what long files repeat.
var bigPieces = map[string]string{
	"headings": "# a\n\nb\n\n", "nested": "## a\n\n### b\n\nc 5円。\n\n", "items": "- a 5円 を払う。\n", "rows": "| a | 5円 |\n",
	"links": "[x](#a) [y](rows.md#c)\n\n", "line": "[x](#a) ", "code": "```\na\n```\n\n", "references": "第3条を参照。別表1による。\n\n",
	"comments": "<!-- a --> ", "exceptions": "ただし、消耗品は対象外とする。\n\n", "articles": "## 第1条\n\n保証は30日です。\n\n",
}

// bigFiles adds files of so many pieces to the samples, and returns the flags that name them.
func bigFiles(t *testing.T, pieces int) (flags []string) {
	t.Helper()
	root, _, flags := everyProduct(t)
	for name, piece := range bigPieces {
		text := "# top\n\n| h | v |\n|---|---|\n" + strings.Repeat(piece, pieces)
		for _, folder := range []string{"manuals/big", "vault/big"} {
			putFile(t, filepath.Join(root, filepath.FromSlash(folder)), name+".md", text)
		}
	}
	return flags
}

// callOnBigFiles calls the tools that read whole files or list what a search found in them.
func callOnBigFiles(c *client) {
	for name, piece := range bigPieces {
		file := name + ".md"
		query := strings.Join(strings.Fields(piece), " ")
		ref := map[string]any{"manual_id": "big", "path": file, "start_line": 1, "target": "manual"}
		var found struct {
			TraceID string `json:"trace_id"`
		}
		c.call("manual_find", map[string]any{"query": query, "manual_id": "big", "use_cache": false}, &found)
		for _, call := range []struct {
			tool      string
			arguments map[string]any
		}{
			{"manual_find", map[string]any{"query": query, "only_unscanned_from_trace_id": found.TraceID}},
			{"manual_hits", map[string]any{"trace_id": found.TraceID, "kind": "matched", "limit": 50}},
			{"manual_hits", map[string]any{"trace_id": found.TraceID, "kind": "unscanned", "limit": 50}},
			{"manual_toc", map[string]any{"manual_id": "big", "path_prefix": file}},
			{"manual_links", map[string]any{"ref": ref}},
			{"manual_excepts", map[string]any{"manual_id": "big"}},
			{"manual_search", map[string]any{"query": "a", "manual_id": "big"}},
			{"artifact_audit", map[string]any{"artifact_path": "big/" + file, "source_path": "big/" + file}},
			{"vault_find", map[string]any{"query": query}},
			{"vault_coverage", map[string]any{"path": "big/" + file, "cited_ranges": []any{}}},
		} {
			c.call(call.tool, call.arguments, new(any))
		}
	}
}

// stepsOf returns how often each block of the program ran while a server with such flags was used.
func stepsOf(t *testing.T, program string, flags []string, use func(c *client)) map[string]int64 {
	t.Helper()
	counters := t.TempDir()
	c := connectTo(t, program, append(environment(t), "GOCOVERDIR="+counters), flags...)
	warm(c)
	use(c)
	c.in.Close()
	if err := c.cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	profile := filepath.Join(counters, "profile")
	if out, err := exec.Command("go", "tool", "covdata", "textfmt", "-i="+counters, "-o="+profile).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	f, err := os.Open(profile)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	steps := map[string]int64{}
	for lines := bufio.NewScanner(f); lines.Scan(); {
		block, counts, _ := strings.Cut(lines.Text(), " ")
		var statements, ran int64
		if n, _ := fmt.Sscan(counts, &statements, &ran); n == 2 {
			steps[block] += ran
		}
	}
	return steps
}
