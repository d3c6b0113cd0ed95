//go:build soak

package code_test

import (
	"bufio"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/sagasu-search/sagasu/framework/internal/logic/code"
)

// peers lists for each language the nodes of ast-grep's grammar that are functions and methods, the minimum share of
// them that must be found with their first and last line, and the file extensions.
var peers = []struct {
	language, grammar string
	extensions        []string
	nodes             []string
	floor             float64
}{
	{"typescript", "typescript", []string{".ts"}, script, .99},
	{"typescript", "tsx", []string{".tsx"}, script, .99},
	{"javascript", "javascript", []string{".js", ".mjs", ".cjs", ".jsx"}, script, .99},
	{"python", "python", []string{".py"}, []string{"kind: function_definition"}, .99},
	{"java", "java", []string{".java"}, []string{"kind: method_declaration", "kind: constructor_declaration", "kind: compact_constructor_declaration"}, .95},
	{"csharp", "csharp", []string{".cs"}, []string{"kind: method_declaration", "kind: constructor_declaration", "kind: local_function_statement", "kind: operator_declaration"}, .95},
	{"ruby", "ruby", []string{".rb"}, []string{"kind: method", "kind: singleton_method"}, .95},
	{"php", "php", []string{".php"}, []string{"kind: method_declaration", "kind: function_definition"}, .95},
	{"rust", "rust", []string{".rs"}, []string{"kind: function_item", "kind: function_signature_item"}, .95},
	{"go", "go", []string{".go"}, []string{"kind: function_declaration", "kind: method_declaration"}, .99},
}

var script = []string{
	"kind: function_declaration", "kind: generator_function_declaration", "kind: method_definition",
	"{kind: variable_declarator, has: {field: value, any: [{kind: arrow_function}, {kind: function_expression}]}}",
	"{kind: pair, has: {field: value, any: [{kind: arrow_function}, {kind: function_expression}]}}",
}

// node is a match in ast-grep's output; its lines count from 0.
type node struct {
	File  string
	Range struct{ Start, End struct{ Line int } }
}

// TestAgainstAstGrep compares the functions found in foreign sources, with one folder per language in SAGASU_SOURCES,
// with those that ast-grep finds.
func TestAgainstAstGrep(t *testing.T) {
	sources, binary := os.Getenv("SAGASU_SOURCES"), os.Getenv("SAGASU_AST_GREP")
	if binary == "" {
		binary, _ = exec.LookPath("ast-grep")
	}
	if sources == "" || binary == "" {
		t.Skip("SAGASU_SOURCES names no folder, or there is no ast-grep")
	}
	for _, p := range peers {
		t.Run(p.language+p.extensions[0], func(t *testing.T) {
			dir := filepath.Join(sources, p.language)
			if _, err := os.Stat(dir); err != nil {
				t.Skip("no sources: ", err)
			}
			c := comparison{t: t, found: units(t, dir, p.extensions)}
			c.run(exec.CommandContext(t.Context(), binary, "scan", "--no-ignore", "hidden", "--no-ignore", "vcs", "--json=stream",
				"--inline-rules", rule(p.grammar, p.nodes), dir), p.extensions)
			c.report(p.floor)
		})
	}
}

func rule(grammar string, nodes []string) string {
	return "id: functions\nlanguage: " + grammar + "\nrule:\n  any:\n    - " + strings.Join(nodes, "\n    - ") + "\n"
}

// units cuts the files of a folder and returns the functions.
func units(t *testing.T, dir string, extensions []string) map[string][]code.Unit {
	all := map[string][]code.Unit{}
	err := filepath.WalkDir(dir, func(name string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() || !slices.Contains(extensions, filepath.Ext(name)) {
			return err
		}
		src, err := os.ReadFile(name)
		if _, unfit := code.Text(name, src); err != nil || unfit != "" {
			return err
		}
		all[name] = slices.DeleteFunc(code.Cut(name, src).Units, func(u code.Unit) bool {
			return u.Kind != code.Function && u.Kind != code.Method
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

type comparison struct {
	t               *testing.T
	found           map[string][]code.Unit
	right, all, ext int
	wrong           []string
}

func (c *comparison) run(cmd *exec.Cmd, extensions []string) {
	out, err := cmd.StdoutPipe()
	if err != nil {
		c.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		c.t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var n node
		if err := json.Unmarshal(lines.Bytes(), &n); err != nil {
			c.t.Fatal(err)
		}
		if slices.Contains(extensions, filepath.Ext(n.File)) {
			c.node(n)
		}
	}
	_ = cmd.Wait() // it fails if anything matched
}

func (c *comparison) node(n node) {
	have, ok := c.found[n.File]
	if !ok {
		return
	}
	c.all++
	first, last := n.Range.Start.Line+1, n.Range.End.Line+1
	at := slices.IndexFunc(have, func(u code.Unit) bool {
		return u.Last == last && (u.First == first || u.Decl == first)
	})
	if at < 0 {
		c.wrong = append(c.wrong, n.File+":"+span(first, last))
		return
	}
	c.right++
}

func (c *comparison) report(floor float64) {
	own := 0
	for _, u := range c.found {
		own += len(u)
	}
	share := float64(c.right) / float64(max(c.all, 1))
	c.t.Logf("%d files, %d of %d functions right: %.4f; %d units found", len(c.found), c.right, c.all, share, own)
	for _, w := range c.wrong[:min(len(c.wrong), 40)] {
		c.t.Log("wrong: ", w)
	}
	if share < floor || c.all == 0 {
		c.t.Errorf("a share of %.4f is right, want %.2f", share, floor)
	}
}

func span(first, last int) string { return strconv.Itoa(first) + "-" + strconv.Itoa(last) }
