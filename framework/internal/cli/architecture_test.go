package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

const modulePath = "github.com/sagasu-search/sagasu/"

// pkg is what go list says of a package.
type pkg struct {
	Dir, ImportPath, Doc string
	Imports              []string
}

func listPackages(t *testing.T) []pkg {
	t.Helper()
	cmd := exec.Command("go", "list", "-json=Dir,ImportPath,Doc,Imports", "./...")
	cmd.Dir = filepath.Join("..", "..", "..")
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var all []pkg
	for dec := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p pkg
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return all
		} else if err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
}

// area returns the top folder of a package, "" for one of another module.
func area(path string) string {
	rest, ours := strings.CutPrefix(path, modulePath)
	if !ours {
		return ""
	}
	first, _, _ := strings.Cut(rest, "/")
	return first
}

// mayImport lists the top folders whose packages each top folder may import.
var mayImport = map[string][]string{
	"cmd":       {"framework", "plugins", "sdk"},
	"framework": {"framework", "sdk"},
	"plugins":   {"sdk"},
	"sdk":       {"sdk"},
}

func TestImportsKeepToTheArchitecture(t *testing.T) {
	for _, p := range listPackages(t) {
		from := area(p.ImportPath)
		allowed, known := mayImport[from]
		if !known {
			t.Errorf("%s lies outside cmd, framework, plugins and sdk", p.ImportPath)
		}
		for _, imported := range p.Imports {
			if p.ImportPath == modulePath+"plugins" && area(imported) == "plugins" {
				continue // the list of what is bundled
			}
			if to := area(imported); to != "" && !slices.Contains(allowed, to) {
				t.Errorf("%s imports %s", p.ImportPath, imported)
			}
			if strings.HasPrefix(imported, "github.com/mark3labs/mcp-go") && p.ImportPath != modulePath+"framework/internal/server" {
				t.Errorf("%s imports %s; only framework/internal/server speaks MCP", p.ImportPath, imported)
			}
		}
	}
}

// Products are slices: none knows another, and what they rest on knows none of them.
func TestToolsetsKeepToThemselves(t *testing.T) {
	toolsets := []string{"manuals", "vault", "patents", "logic"}
	base := []string{"workspace", "doctor", "module", "search", "toolset", "corpus", "index", "host", "server"}
	for _, p := range listPackages(t) {
		rest, ours := strings.CutPrefix(p.ImportPath, modulePath+"framework/internal/")
		from, _, _ := strings.Cut(rest, "/")
		if !ours || !slices.Contains(toolsets, from) && !slices.Contains(base, from) {
			continue
		}
		for _, imported := range p.Imports {
			to, _, _ := strings.Cut(strings.TrimPrefix(imported, modulePath+"framework/internal/"), "/")
			if slices.Contains(toolsets, to) && to != from {
				t.Errorf("%s imports %s", p.ImportPath, imported)
			}
		}
	}
}

func TestPurePackagesDoNoIO(t *testing.T) {
	pure := []string{"framework/internal/fusion", "framework/internal/judge", "framework/internal/patents/rankfusion", "sdk/text"}
	forbidden := []string{"os", "net", "io/fs", "path/filepath", "os/exec", "syscall"}
	for _, p := range listPackages(t) {
		if !slices.Contains(pure, strings.TrimPrefix(p.ImportPath, modulePath)) {
			continue
		}
		for _, imported := range p.Imports {
			if slices.Contains(forbidden, imported) {
				t.Errorf("%s imports %s", p.ImportPath, imported)
			}
		}
	}
}

// The page on the architecture names every package, and no folder that is not there.
func TestArchitectureNamesEveryPackage(t *testing.T) {
	root := filepath.Join("..", "..", "..")
	folders := foldersOf(t, filepath.Join(root, "docs", "architecture.md"))
	for _, folder := range folders {
		if _, err := os.Stat(filepath.Join(root, filepath.FromSlash(folder))); err != nil {
			t.Errorf("docs/architecture.md names %s: %v", folder, err)
		}
	}
	for _, p := range listPackages(t) {
		folder := strings.TrimPrefix(p.ImportPath, modulePath)
		inside := area(p.ImportPath) == "plugins" && strings.Count(folder, "/") > 1 // of one strategy
		if !inside && !slices.Contains(folders, folder) {
			t.Errorf("docs/architecture.md leaves out %s", folder)
		}
	}
}

// foldersOf returns the folders of the tree on a page: indented by four, and by two per level.
func foldersOf(t *testing.T, page string) (folders []string) {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	_, tree, _ := strings.Cut(string(text), "## Packages\n\n")
	tree, _, _ = strings.Cut(tree, "\n\n")
	var above []string
	for line := range strings.Lines(tree) {
		name := strings.TrimLeft(line, " ")
		level := (len(line) - len(name) - 4) / 2
		name, _, isFolder := strings.Cut(name, "/ ")
		if !isFolder || strings.Contains(name, " ") || level > len(above) {
			continue // the rest of a description, or the root of sdk
		}
		above = append(above[:level], name)
		folders = append(folders, strings.Join(above, "/"))
	}
	return folders
}

func TestEveryPackageSaysWhatItIs(t *testing.T) {
	for _, p := range listPackages(t) {
		if p.Doc == "" {
			t.Errorf("%s has no package comment", p.ImportPath)
		}
		if _, err := os.Stat(filepath.Join(p.Dir, "doc.go")); err != nil {
			t.Errorf("%s has no doc.go", p.ImportPath)
		}
	}
}

// unguarded are the packages that may start goroutines, or recover, on their own.
var unguarded = []string{
	"framework/internal/bench", // for developers
	"sdk/x/guard",              // the one way
	"sdk/serve",                // the main of a strategy, which the host supervises
}

// A panic in a goroutine of the host must end nothing but what waits for it.
func TestGoroutinesAreGuarded(t *testing.T) {
	root := filepath.Join("..", "..", "..")
	for _, p := range listPackages(t) {
		folder := strings.TrimPrefix(p.ImportPath, modulePath)
		if a := area(p.ImportPath); a != "framework" && a != "sdk" || slices.Contains(unguarded, folder) {
			continue
		}
		files, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(folder), "*.go"))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %v", folder, err)
		}
		for _, name := range files {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			src, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			for _, found := range starts(t, name, src) {
				if !(folder == "sdk/snapshot" && strings.HasSuffix(found, "recover")) { // of damaged memory
					t.Errorf("%s; use sdk/x/guard", found)
				}
			}
		}
	}
}

// starts returns where a file starts goroutines without guard, or recovers.
func starts(t *testing.T, name string, src []byte) (found []string) {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, name, src, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	add := func(n ast.Node, what string) {
		found = append(found, fmt.Sprintf("%s: %s", fset.Position(n.Pos()), what))
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			add(n, "go")
		case *ast.ImportSpec:
			if n.Path.Value == `"golang.org/x/sync/errgroup"` {
				add(n, "errgroup")
			}
		case *ast.CallExpr:
			if f, ok := n.Fun.(*ast.Ident); ok && f.Name == "recover" {
				add(n, "recover")
			}
			// A guard's Go takes a function with an error, a WaitGroup's one without.
			f, ok := n.Fun.(*ast.SelectorExpr)
			if ok && f.Sel.Name == "Go" && len(n.Args) == 1 && !returnsError(n.Args[0]) {
				add(n, "Go")
			}
		}
		return true
	})
	return found
}

// returnsError reports whether an expression is a function literal with one result.
func returnsError(e ast.Expr) bool {
	f, ok := e.(*ast.FuncLit)
	return ok && f.Type.Results.NumFields() == 1
}

func TestGoroutinesAreGuardedFindsThem(t *testing.T) {
	for body, want := range map[string]string{
		"go f()": "go", "var w sync.WaitGroup; w.Go(f)": "Go", "w.Go(func() { f() })": "Go",
		"defer func() { recover() }()": "recover", "g.Go(func() error { return f() })": "",
	} {
		got := starts(t, "a.go", []byte("package a\nfunc a() { "+body+" }"))
		if len(got) != min(1, len(want)) || want != "" && !strings.HasSuffix(got[0], ": "+want) {
			t.Errorf("%s: %q, want %q", body, got, want)
		}
	}
	if got := starts(t, "a.go", []byte("package a\nimport _ \"golang.org/x/sync/errgroup\"")); len(got) != 1 {
		t.Errorf("errgroup: %q", got)
	}
}

// lineLimit is the most columns of a line, a tab counting four.
const lineLimit = 120

// longLines counts the lines beyond lineLimit that packages still have. A count may only
// shrink; remove the entry of a package that has none left.
var longLines = map[string]int{
	"cmd/sagasu-bench/peers": 4,
}

// Lines fit a review beside another. Generated files, their directives, struct tags and raw
// strings may be longer.
func TestEveryLineFits(t *testing.T) {
	root := filepath.Join("..", "..", "..")
	found := map[string][]string{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == ".git" || d.Name() == "testdata"):
			return filepath.SkipDir
		case filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		src, err := os.ReadFile(path)
		folder := filepath.ToSlash(filepath.Dir(rel))
		for _, n := range overlong(string(src)) {
			found[folder] = append(found[folder], fmt.Sprintf("%s:%d", filepath.ToSlash(rel), n))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for folder, lines := range found {
		if len(lines) > longLines[folder] {
			t.Errorf("%s has %d lines of more than %d columns, %d are allowed:\n%s",
				folder, len(lines), lineLimit, longLines[folder], strings.Join(lines, "\n"))
		}
	}
	for folder, allowed := range longLines {
		if n := len(found[folder]); n < allowed {
			t.Errorf("%s has %d lines of more than %d columns: lower the %d that are allowed", folder, n, lineLimit, allowed)
		}
	}
}

// overlong returns the numbers of the lines that are too long.
func overlong(src string) (numbers []int) {
	header, _, _ := strings.Cut(src, "\npackage ")
	if strings.Contains("\n"+header, "\n// Code generated") {
		return nil
	}
	raw := false
	for i, line := range strings.Split(src, "\n") {
		exempt := raw || strings.Contains(line, "`") || strings.HasPrefix(line, "//go:generate")
		raw = raw != (strings.Count(line, "`")%2 == 1)
		if !exempt && utf8.RuneCountInString(strings.ReplaceAll(line, "\t", "    ")) > lineLimit {
			numbers = append(numbers, i+1)
		}
	}
	return numbers
}

func TestEveryLineFitsFindsLongLines(t *testing.T) {
	long := strings.Repeat("x", lineLimit-3)
	src := "package a\n\t" + long + "\n" + long + "\n\tX int `doc:\"" + long + "\"`\nvar y = `\n" + long + long + "\n`\n// x\n"
	if got := overlong(src); len(got) != 1 || got[0] != 2 {
		t.Errorf("overlong lines are %v, want [2]", got)
	}
}
