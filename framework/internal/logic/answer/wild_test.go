//go:build wild

package answer

import (
	"strconv"
	"strings"
	"testing"

	"github.com/sagasu-search/sagasu/framework/internal/logic/code"
	"github.com/sagasu-search/sagasu/framework/internal/logic/evidence"
	"github.com/sagasu-search/sagasu/framework/internal/logic/repo"
	"github.com/sagasu-search/sagasu/framework/internal/logic/wild"
)

// wildEvidence is the number of evidence items for a question, and near the distance in lines at which a line still
// counts as the deciding one.
const (
	wildEvidence = 8
	wildNear     = 3
)

// Questions on public repositories are asked as a user would ask them. One known line of code decides each. An answer
// that cites it counts as right, in place of a reader's verdict.
//
//	go test -tags wild -run 'TestWildQuestions$' -v ./framework/internal/logic/answer -args -clones DIR -half building
func TestWildQuestions(t *testing.T) {
	asked, found, cited := 0, 0, 0
	wild.Each(t, func(from wild.Repository) {
		r := openWild(t, from)
		for _, q := range from.Questions {
			items, got := r.ask(t, q["question"])
			inEvidence, inAnswer := false, false
			for _, e := range items {
				inEvidence = inEvidence || at(q, e.Path, e.Line)
			}
			for _, g := range got.Evidence {
				inAnswer = inAnswer || at(q, g.Path, g.Line)
			}
			asked, found, cited = asked+1, found+count(inEvidence), cited+count(inAnswer)
			t.Logf("%s\n? %s\n= %s\n  %s\n  confidence %.2f evidence %t cited %t unknowns %v", from.Name,
				q["question"], q["answer"], q["code"], got.Confidence, inEvidence, inAnswer, got.Unknowns)
			for _, g := range got.Evidence {
				t.Logf("\t%s:%d %s", g.Path, *g.Line, g.Claim)
			}
			for _, e := range items {
				t.Logf("\t\t%.2f %s:%d", e.Relevance, e.Path, *e.Line)
			}
		}
	})
	t.Logf("%d questions: the deciding line stands in the evidence of %d and is cited in %d", asked, found, cited)
}

func count(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

// opened is an indexed repository with its asker.
type opened struct {
	searcher *evidence.Searcher
	asker    Asker
}

// openWild indexes a repository.
func openWild(t *testing.T, from wild.Repository) opened {
	t.Helper()
	s := evidence.New(evidence.Options{Dir: from.Dir + ".index", Root: from.Dir, Globs: from.Globs})
	t.Cleanup(func() { s.Close() })
	tree, err := repo.OpenTree(from.Dir, from.Globs, code.MaxSize+1)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { tree.Close() })
	return opened{s, Asker{Files: tree, Globs: from.Globs}}
}

func (w opened) ask(t *testing.T, question string) ([]evidence.Evidence, Answer) {
	t.Helper()
	found, err := w.searcher.Find(t.Context(), question, wildEvidence)
	if err != nil {
		t.Fatal(err)
	}
	got, err := w.asker.Ask(t.Context(), question, found.Evidence)
	if err != nil {
		t.Fatal(err)
	}
	return found.Evidence, got
}

// at reports whether a line is the deciding line of code or near it.
func at(r wild.Row, path string, line *evidence.Line) bool {
	name, number, _ := strings.Cut(r["code"], ":")
	decides, err := strconv.Atoi(number)
	return err == nil && path == name && line != nil && max(decides-int(*line), int(*line)-decides) <= wildNear
}
