package cli

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// goEnvironment returns an environment with a home of its own in which Go builds from what has
// been downloaded for this test, and nothing else.
func goEnvironment(t testing.TB) []string {
	t.Helper()
	env := append(environment(t), "PATH="+filepath.Dir(binary)+string(os.PathListSeparator)+os.Getenv("PATH"))
	for name, value := range toolchain(t, "-mod=readonly") {
		env = append(env, name+"="+value)
	}
	return env
}

// shell runs command lines one after the other, as a reader of a document does.
type shell struct {
	dir string
	env []string
}

// run returns the output of a command line.
func (s *shell) run(t *testing.T, line string) (string, error) {
	t.Helper()
	args := split(strings.ReplaceAll(line, "/path/to/sagasu", repository(t)))
	if args[0] == "cd" {
		s.dir = filepath.Join(s.dir, args[1])
		return "", nil
	}
	program := args[0]
	if program == "sagasu" {
		program = binary
	}
	cmd := exec.Command(program, args[1:]...)
	cmd.Dir, cmd.Env = s.dir, s.env
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// must runs a line that succeeds.
func (s *shell) must(t *testing.T, line string) {
	t.Helper()
	if out, err := s.run(t, line); err != nil {
		t.Fatalf("%s: %v\n%s", line, err, out)
	}
}

// buildsModules skips a test that does in a short run.
func buildsModules(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("it builds modules and their tests")
	}
}

// TestScaffold builds, tests and checks what plugin new writes. The other form is that of
// the tutorial.
func TestScaffold(t *testing.T) {
	buildsModules(t)
	t.Parallel()
	for _, template := range []string{"retrieve", "fuzzy", "features", "embedding", "converter"} {
		s := &shell{t.TempDir(), goEnvironment(t)}
		for _, line := range []string{
			"sagasu plugin new finder-1 --dir deep/down --sdk /path/to/sagasu --template " + template, "cd deep/down",
			"go vet .", "go test .", "go build .", "sagasu plugin check ./finder-1",
		} {
			s.must(t, line)
		}
		if out, err := exec.Command("gofmt", "-l", s.dir).CombinedOutput(); err != nil || len(out) > 0 {
			t.Errorf("not formatted: %s, %v", out, err)
		}
	}
}

const tutorial = "writing-a-strategy.md"

// TestTutorial does what the tutorial says, in its order.
func TestTutorial(t *testing.T) {
	buildsModules(t)
	t.Parallel()
	s := &shell{t.TempDir(), goEnvironment(t)}
	text := fileText(t, filepath.Join(repository(t), "docs", tutorial))
	done := map[string]int{}
	for _, block := range fence.FindAllStringSubmatch(text, -1) {
		done[block[1]]++
		switch block[1] {
		case "sh":
			for line := range strings.Lines(block[2]) {
				s.must(t, strings.TrimSpace(line))
			}
		case "console":
			s.transcript(t, block[2])
		case "go":
			edit(t, filepath.Join(s.dir, "strategy.go"), block[2])
		default:
			t.Errorf("nobody knows what to do with a block of %s", block[1])
		}
	}
	s.must(t, "go vet .") // go test may be told not to
	if done["sh"] < 3 || done["console"] < 2 || done["go"] < 2 {
		t.Errorf("found %v", done)
	}
}

// transcript runs the command of a transcript and looks for what it shows: every line, in
// that order, as the beginning of what was printed or a part of it.
func (s *shell) transcript(t *testing.T, block string) {
	t.Helper()
	lines := strings.Split(strings.TrimSpace(block), "\n")
	out, _ := s.run(t, strings.TrimPrefix(lines[0], "$ ")) // it may well fail
	rest := out
	for _, line := range lines[1:] {
		line = strings.TrimSpace(line)
		_, after, found := strings.Cut(rest, line)
		if !found {
			t.Errorf("%s does not print %q, but\n%s", lines[0], line, out)
			return
		}
		rest = after
	}
}

// edit replaces a whole file, or one function of it.
func edit(t *testing.T, path, block string) {
	t.Helper()
	text := block
	if !strings.HasPrefix(block, "package ") {
		text = replaceFunction(t, fileText(t, path), block)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// replaceFunction puts a function in the place of that of its name.
func replaceFunction(t *testing.T, file, function string) string {
	t.Helper()
	const head = "package x\n"
	name, _, _ := functionIn(t, head+function, "")
	_, start, end := functionIn(t, file, name)
	return file[:start] + strings.TrimSpace(function) + file[end:]
}

// functionIn finds a function, "" for the first, and where it stands with its comment.
func functionIn(t *testing.T, source, name string) (found string, start, end int) {
	t.Helper()
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, "", source, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(file.Decls, func(d ast.Decl) bool {
		f, ok := d.(*ast.FuncDecl)
		return ok && (name == "" || f.Name.Name == name)
	})
	if i < 0 {
		t.Fatalf("there is no function %q", name)
	}
	f := file.Decls[i].(*ast.FuncDecl)
	first := f.Pos()
	if f.Doc != nil {
		first = f.Doc.Pos()
	}
	return f.Name.Name, set.Position(first).Offset, set.Position(f.End()).Offset
}

// inTutorial reports whether a line is one of the tutorial's, which TestTutorial runs.
func inTutorial(t *testing.T, line string) bool {
	t.Helper()
	text := fileText(t, filepath.Join(repository(t), "docs", tutorial))
	return slices.Contains(strings.Split(text, "\n"), line)
}
