//go:build wild

package answer

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/sagasu-search/sagasu/framework/internal/logic/code"
	"github.com/sagasu-search/sagasu/framework/internal/logic/evidence"
	"github.com/sagasu-search/sagasu/framework/internal/logic/repo"
	"github.com/sagasu-search/sagasu/framework/internal/logic/rule"
	"github.com/sagasu-search/sagasu/framework/internal/logic/spec"
	"github.com/sagasu-search/sagasu/framework/internal/logic/wild"
)

// A number, unit or status of a statement is changed, and the statement without it is asked for in the original and in
// the changed repository. The questions of the half are asked too, and so is each statement that wants a value in a
// repository without mutations. Each answer that reports a mismatch is printed for a reader.
//
//	go test -tags wild -run TestWildMismatches -v ./framework/internal/logic/answer -args -clones DIR -half building
func TestWildMismatches(t *testing.T) {
	asked, changed, unchanged, questions, wanted, told := 0, 0, 0, 0, 0, 0
	wild.Each(t, func(from wild.Repository) {
		r := openWild(t, from)
		tells := func(what string, files repo.Files, question string, items []evidence.Evidence) int {
			a, err := Asker{Files: files, Globs: from.Globs}.Ask(t.Context(), question, items)
			if err != nil {
				t.Fatal(err)
			}
			if a.SpecMismatch {
				t.Logf("%s, %s: %s\n%s", from.Name, what, question, strings.Join(slices.DeleteFunc(strings.Split(a.Answer, "\n"), func(l string) bool { return !strings.Contains(l, "disagree") && !strings.Contains(l, "食い違") }), "\n"))
			}
			return count(a.SpecMismatch)
		}
		for _, q := range from.Questions {
			items, _ := r.ask(t, q["question"])
			questions += tells("question", r.asker.Files, q["question"], items)
		}
		if len(from.Mutations) == 0 {
			for _, statement := range statements(t, from) {
				items, _ := r.ask(t, statement)
				wanted, told = wanted+1, told+tells("statement", r.asker.Files, statement, items)
			}
		}
		for _, m := range from.Mutations {
			if !slices.Contains([]string{"number", "unit", "status"}, m["kind"]) {
				continue
			}
			o := change(t, r.asker.Files, m)
			items, _ := r.ask(t, o.question)
			asked++
			unchanged += tells("unchanged", r.asker.Files, o.question, items)
			for i := range items {
				if items[i].Path == o.path && items[i].Line != nil {
					items[i].Excerpt = strings.Split(o.src, "\n")[*items[i].Line-1]
				}
			}
			changed += tells(m["from"]+" -> "+m["to"]+" ("+m["code"]+")", o, o.question, items)
		}
	})
	t.Logf("%d statements: %d changed and %d unchanged ones tell a mismatch, %d questions do, and %d of %d statements of values",
		asked, changed, unchanged, questions, told, wanted)
}

// statements returns a repository's statements that want a value, with their titles and conditions.
func statements(t *testing.T, from wild.Repository) (all []string) {
	t.Helper()
	files, _, err := repo.Walk(t.Context(), from.Dir, from.Globs)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		src, err := os.ReadFile(filepath.Join(from.Dir, f.Path))
		if f.Kind == repo.Code || err != nil {
			continue
		}
		for _, u := range spec.Cut(f.Path, src) {
			wants := rule.Spec(f.Path, u)
			for _, item := range u.Items {
				if slices.ContainsFunc(wants, func(w rule.Rule) bool { return w.Text == code.OneLine(item.Text) }) {
					all = append(all, code.OneLine(u.Name+": "+item.Conditions+" "+item.Text))
				}
			}
		}
	}
	return all
}

// changed are the files of a repository with one of them changed.
type changed struct {
	repo.Files
	path, src string
	question  string // the statement without the changed value
}

func (c changed) ReadFile(path string) ([]byte, error) {
	if path == c.path {
		return []byte(c.src), nil
	}
	return c.Files.ReadFile(path)
}

func change(t *testing.T, files repo.Files, m wild.Row) changed {
	t.Helper()
	src, err := files.ReadFile(m["path"])
	line, errLine := strconv.Atoi(m["line"])
	if err != nil || errLine != nil {
		t.Fatal(err, errLine)
	}
	c, at := changed{Files: files, path: m["path"]}, 0
	for n := range strings.Lines(string(src)) {
		if line--; line == 0 {
			nth, _ := strconv.Atoi(m["nth"])
			for range max(nth, 1) - 1 {
				at += strings.Index(n[at:], m["from"]) + len(m["from"])
			}
			n = n[:at] + strings.Replace(n[at:], m["from"], m["to"], 1)
		}
		c.src += n
	}
	line, _ = strconv.Atoi(m["line"])
	for _, u := range spec.Cut(m["path"], src) {
		for _, item := range u.Items {
			if item.Line <= line && line <= item.Line+strings.Count(item.Text, "\n") {
				c.question = code.OneLine(u.Name + ": " + item.Conditions + " " + strings.Replace(item.Text, m["from"], "", 1))
			}
		}
	}
	return c
}
