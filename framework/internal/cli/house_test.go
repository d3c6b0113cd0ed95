package cli

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
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

// wing is the part of the house that a package lies in.
func wing(path string) string {
	rest, ours := strings.CutPrefix(path, modulePath)
	if !ours {
		return ""
	}
	first, _, _ := strings.Cut(rest, "/")
	return first
}

// mayImport says which wings each wing may use.
var mayImport = map[string][]string{
	"cmd":       {"framework", "plugins", "sdk"},
	"framework": {"framework", "sdk"},
	"plugins":   {"sdk"},
	"sdk":       {"sdk"},
}

func TestImportsKeepToTheHouse(t *testing.T) {
	for _, p := range listPackages(t) {
		from := wing(p.ImportPath)
		allowed, known := mayImport[from]
		if !known {
			t.Errorf("%s lies outside cmd, framework, plugins and sdk", p.ImportPath)
		}
		for _, imported := range p.Imports {
			if to := wing(imported); to != "" && !slices.Contains(allowed, to) {
				t.Errorf("%s imports %s", p.ImportPath, imported)
			}
			if strings.HasPrefix(imported, "github.com/mark3labs/mcp-go") && p.ImportPath != modulePath+"framework/internal/server" {
				t.Errorf("%s imports %s; only framework/internal/server speaks MCP", p.ImportPath, imported)
			}
		}
	}
}

func TestPureRoomsDoNoIO(t *testing.T) {
	pure := []string{"framework/internal/fusion", "framework/internal/judge", "sdk/text"}
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

// The page on the house names every package, and no folder that is not there.
func TestArchitectureNamesEveryRoom(t *testing.T) {
	root := filepath.Join("..", "..", "..")
	rooms := roomsOf(t, filepath.Join(root, "docs", "architecture.md"))
	for _, room := range rooms {
		if _, err := os.Stat(filepath.Join(root, filepath.FromSlash(room))); err != nil {
			t.Errorf("docs/architecture.md names %s: %v", room, err)
		}
	}
	for _, p := range listPackages(t) {
		room := strings.TrimPrefix(p.ImportPath, modulePath)
		if wing(p.ImportPath) != "plugins" && !slices.Contains(rooms, room) { // "one folder each"
			t.Errorf("docs/architecture.md leaves out %s", room)
		}
	}
}

// roomsOf are the folders of the tree on a page: indented by four, and by two per floor.
func roomsOf(t *testing.T, page string) (rooms []string) {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	_, tree, _ := strings.Cut(string(text), "## Rooms\n\n")
	tree, _, _ = strings.Cut(tree, "\n\n")
	var above []string
	for line := range strings.Lines(tree) {
		name := strings.TrimLeft(line, " ")
		floor := (len(line) - len(name) - 4) / 2
		name, _, isFolder := strings.Cut(name, "/ ")
		if !isFolder || strings.Contains(name, " ") || floor > len(above) {
			continue // the rest of a description, or the root of sdk
		}
		above = append(above[:floor], name)
		rooms = append(rooms, strings.Join(above, "/"))
	}
	return rooms
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
