//go:build wild

package evidence

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/sagasu-search/sagasu/framework/internal/eval"
	"github.com/sagasu-search/sagasu/framework/internal/logic/spec"
	"github.com/sagasu-search/sagasu/framework/internal/logic/wild"
)

// wildRepo is a public repository with questions whose deciding lines of code are known.
type wildRepo struct {
	wild.Repository
	long, short []eval.Query // whole requirements, and an owner's questions
}

func readWild(t *testing.T, from wild.Repository) *wildRepo {
	r := &wildRepo{Repository: from}
	for _, m := range from.Mutations {
		r.ask(&r.long, r.requirement(t, m["path"], m["line"]), m["code"])
	}
	for _, q := range from.Questions {
		r.ask(&r.short, q["question"], q["code"])
	}
	return r
}

// requirement returns the text of the specification unit that contains a line.
func (r *wildRepo) requirement(t *testing.T, path, line string) string {
	t.Helper()
	src, err := os.ReadFile(filepath.Join(r.Dir, path))
	if err != nil {
		t.Fatal(err)
	}
	at, _ := strconv.Atoi(line)
	for _, u := range spec.Cut(path, src) {
		if u.First <= at && at <= u.Last {
			return u.Name + "\n" + u.Text
		}
	}
	t.Fatalf("%s:%s is in no unit", path, line)
	return ""
}

// ask adds a question, or another deciding place for a known question.
func (r *wildRepo) ask(queries *[]eval.Query, asked, code string) {
	path, line, _ := strings.Cut(code, ":")
	at, _ := strconv.Atoi(line)
	i := slices.IndexFunc(*queries, func(q eval.Query) bool { return q.Query == asked })
	if i < 0 {
		i, *queries = len(*queries), append(*queries, eval.Query{ID: r.Name + ": " + asked, Query: asked})
	}
	q := &(*queries)[i]
	q.Relevant = append(q.Relevant, eval.Target{Path: path, EndLine: at, Grade: 1})
}

// add adds the results of other questions.
func (m *measured) add(o *measured) {
	for i, n := range o.reliability {
		m.reliability[i].items += n.items
		m.reliability[i].right += n.right
	}
	m.gold, m.high = m.gold+o.gold, m.high+o.high
}

// Whole requirements and short questions on public repositories, judged by the files of their deciding lines; other
// files may be about a requirement too. Plain BM25 ranks whole files of code.
//
//	go test -tags wild -run 'TestWildQuestions$' -v ./framework/internal/logic/evidence -args -clones DIR -half building
func TestWildQuestions(t *testing.T) {
	const most = 20
	type sum struct {
		now, plain []float64
		measured   measured
	}
	all := map[string]*sum{"requirements": {}, "questions": {}}
	wild.Each(t, func(from wild.Repository) {
		r := readWild(t, from)
		s, _ := openGlobs(t, r.Dir, r.Globs)
		search := newPlain(t, r.Dir, r.Globs).search
		for kind, queries := range map[string][]eval.Query{"requirements": r.long, "questions": r.short} {
			base, err := eval.Run(t.Context(), queries, search, eval.Options{})
			if err != nil {
				t.Fatal(err)
			}
			m, x := measure(t, s, queries, most), all[kind]
			t.Logf("%s, %d %s: nDCG@10 %.3f, plain %.3f", r.Name, len(queries), kind, m.report.NDCG, base.NDCG)
			x.now, x.plain = append(x.now, figures(m.report)...), append(x.plain, figures(base)...)
			x.measured.add(m)
		}
	})
	for kind, x := range all {
		d := eval.Paired(x.now, x.plain)
		t.Logf("%d %s: nDCG@10 less plain %+.3f [%+.3f, %+.3f], %d better, %d worse\n%v",
			len(x.now), kind, d.Mean, d.Low, d.High, d.Better, d.Worse, &x.measured)
		if d.Mean < 0 {
			t.Errorf("%s are answered worse than by plain BM25", kind)
		}
	}
}
