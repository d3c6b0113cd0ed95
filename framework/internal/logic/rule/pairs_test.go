package rule_test

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sagasu-search/sagasu/framework/internal/logic/code"
	"github.com/sagasu-search/sagasu/framework/internal/logic/mismatch"
	"github.com/sagasu-search/sagasu/framework/internal/logic/repo"
	"github.com/sagasu-search/sagasu/framework/internal/logic/rule"
)

// planted is a row of pairs.jsonl: a requirement and the units that hold it, or do not.
type planted struct {
	Kind        string
	Spec        string
	Requirement string
	Against     string
	Units       []string
	Conflict    bool
	// Says are parts of the lines that contradict: one of them stands in what is reported.
	Says []string
}

func (p planted) hit(c rule.Conflict) bool {
	return p.Conflict && p.Kind == string(c.What) && c.Wants.Path == p.Spec && c.Wants.Name == p.Requirement && c.Has.Path == p.Against &&
		slices.ContainsFunc(p.Says, func(part string) bool { return strings.Contains(c.Has.Text, part) })
}

func readPairs(t *testing.T, file string) []planted {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	all, lines := []planted{}, bufio.NewScanner(f)
	for lines.Scan() {
		var p planted
		if err := json.Unmarshal(lines.Bytes(), &p); err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
	return all
}

// conflictsOf reads a repository and compares all pairs: code with every
// specification, and open changes with the main ones.
func conflictsOf(t *testing.T, dir string) []rule.Conflict {
	t.Helper()
	files, _, err := repo.Walk(t.Context(), dir, repo.DefaultGlobs())
	if err != nil {
		t.Fatal(err)
	}
	tree, err := repo.OpenTree(dir, repo.DefaultGlobs(), code.MaxSize+1)
	if err != nil {
		t.Fatal(err)
	}
	defer tree.Close()
	s, err := mismatch.Survey(t.Context(), tree, files, nil)
	if err != nil {
		t.Fatal(err)
	}
	return slices.Concat(s.Code, s.Specs)
}

// samples are the repositories with planted contradictions, and their lists.
var samples = map[string]string{
	"repo": "pairs", "fresh": "fresh", "unseen": "unseen", "layered": "layered", "mixed": "mixed", "trades": "trades",
	"sealed": "sealed", "near": "near", "trips": "trips",
}

// The samples were written for other rules than these. Precision is of all lines that are reported, recall
// of the planted numbers and statuses.
func TestPlantedContradictions(t *testing.T) {
	right, reported, told, all := 0, 0, 0, 0
	for name, list := range samples {
		root := filepath.Join("..", "..", "..", "..", "testdata", "logic")
		pairs, found := readPairs(t, filepath.Join(root, list+".jsonl")), conflictsOf(t, filepath.Join(root, name))
		for _, c := range found {
			reported++
			if slices.ContainsFunc(pairs, func(p planted) bool { return p.hit(c) }) {
				right++
			} else {
				t.Logf("not planted: %s\n  %s:%d %s\n  %s:%d %s", c.What, c.Wants.Path, c.Wants.Line, c.Wants.Text, c.Has.Path, c.Has.Line, c.Has.Text)
			}
		}
		for _, p := range pairs {
			if !p.Conflict || p.Kind != string(rule.Number) && p.Kind != string(rule.Status) {
				continue
			}
			all++
			if slices.ContainsFunc(found, p.hit) {
				told++
			} else {
				t.Logf("missed: %s %s %s %v", p.Kind, p.Spec, p.Requirement, p.Says)
			}
		}
	}
	t.Logf("%d of %d reports are right, %d of %d are told", right, reported, told, all)
	if float64(right) < .9*float64(reported) || float64(told) < .55*float64(all) {
		t.Error("precision is below .9, or recall below .55")
	}
}
