package answer_test

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sagasu-search/sagasu/framework/internal/logic/evidence"
	"github.com/sagasu-search/sagasu/framework/internal/logic/repo"
	"github.com/sagasu-search/sagasu/framework/internal/logic/spec"
)

// planted is a row of pairs.jsonl: a requirement and the code that fulfils or contradicts it.
type planted struct {
	Kind        string
	Spec        string
	Requirement string
	Against     string
	Conflict    bool
}

// samples are the repositories with planted contradictions, and their lists.
var samples = map[string]string{
	"repo": "pairs", "fresh": "fresh", "unseen": "unseen", "layered": "layered", "mixed": "mixed", "trades": "trades",
	"sealed": "sealed", "near": "near", "trips": "trips",
}

func readPlanted(t *testing.T, file string) (all []planted) {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var p planted
		if err := json.Unmarshal(lines.Bytes(), &p); err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
	return all
}

// Each requirement is asked for in its own words. The samples were written for other rules than these.
func TestPlantedContradictions(t *testing.T) {
	if testing.Short() {
		t.Skip("asks 150 questions")
	}
	right, reported, told, all := 0, 0, 0, 0
	for name, list := range samples {
		root := filepath.Join("..", "..", "..", "..", "testdata", "logic")
		dir, pairs := filepath.Join(root, name), readPlanted(t, filepath.Join(root, list+".jsonl"))
		s := evidence.New(evidence.Options{Dir: t.TempDir(), Root: dir, Globs: repo.DefaultGlobs()})
		defer s.Close()
		contradicted := map[string]bool{} // by path and name of the requirement
		for _, p := range pairs {
			if p.Conflict && p.Kind == "number" && !strings.HasPrefix(p.Against, "openspec/") {
				contradicted[p.Spec+" "+p.Requirement] = true
			}
		}
		all += len(contradicted)
		asked, found := map[string]bool{}, map[string]bool{}
		for _, p := range pairs {
			if key := p.Spec + " " + p.Requirement; !asked[key] {
				asked[key] = true
				for _, of := range contradictionsTold(t, s, dir, p) {
					found[of] = true
				}
			}
		}
		for of := range found {
			if reported++; contradicted[of] {
				right, told = right+1, told+1
			} else {
				t.Logf("not planted: %s %s", name, of)
			}
		}
		for of := range contradicted {
			if !found[of] {
				t.Logf("missed: %s %s", name, of)
			}
		}
	}
	t.Logf("%d of %d reports are right, %d of %d are told", right, reported, told, all)
	if float64(right) < .9*float64(reported) || float64(told) < .75*float64(all) {
		t.Error("precision is below .9, or recall below .75")
	}
}

// contradictionsTold asks for a requirement and returns the requirements that code contradicts according to the answer,
// by path and name.
func contradictionsTold(t *testing.T, s *evidence.Searcher, dir string, p planted) (all []string) {
	t.Helper()
	units := map[string][]spec.Unit{}
	unitAt := func(path string, is func(spec.Unit) bool) spec.Unit {
		if units[path] == nil {
			src, err := os.ReadFile(filepath.Join(dir, path))
			if err != nil {
				t.Fatal(err)
			}
			units[path] = spec.Cut(path, src)
		}
		return units[path][slices.IndexFunc(units[path], is)]
	}
	of := unitAt(p.Spec, func(u spec.Unit) bool { return u.Name == p.Requirement })
	question := of.Name + ": " + strings.Join(strings.Fields(of.Text), " ")
	found, err := s.Find(t.Context(), question, 8)
	if err != nil {
		t.Fatal(err)
	}
	a, err := asker(t, dir).Ask(t.Context(), question, found.Evidence)
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range a.Evidence {
		if g.Kind == evidence.Spec && (strings.HasPrefix(g.Claim, "Code and ") || strings.HasPrefix(g.Claim, "コードと")) {
			u := unitAt(g.Path, func(u spec.Unit) bool { return u.First <= int(*g.Line) && int(*g.Line) <= u.Last })
			all = append(all, g.Path+" "+u.Name)
		}
	}
	return all
}
