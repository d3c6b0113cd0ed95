package evidence

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/sagasu-search/sagasu/framework/internal/eval"
	"github.com/sagasu-search/sagasu/framework/internal/logic/repo"
	"github.com/sagasu-search/sagasu/sdk/lexical"
	"github.com/sagasu-search/sagasu/sdk/text"
)

// plain is the baseline for evidence: BM25 over whole files of code, with k1 0.9, b 0.4 and the tokens of the index.
type plain struct {
	files []plainFile
	mean  float64 // length
	df    map[string]int
}

type plainFile struct {
	path   string
	freqs  map[string]int
	length float64
}

func newPlain(t *testing.T, dir string, globs repo.Globs) *plain {
	t.Helper()
	listed, _, err := repo.Walk(t.Context(), dir, globs)
	if err != nil {
		t.Fatal(err)
	}
	p := &plain{df: map[string]int{}}
	for _, f := range listed {
		src, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(f.Path)))
		if err != nil {
			t.Fatal(err)
		}
		if f.Kind == repo.Code {
			p.add(f.Path, string(src))
		}
	}
	p.mean /= float64(len(p.files))
	return p
}

func (p *plain) add(path, src string) {
	all := plainTerms(src)
	f := plainFile{path, map[string]int{}, float64(len(all))}
	for _, term := range all {
		if f.freqs[term]++; f.freqs[term] == 1 {
			p.df[term]++
		}
	}
	p.files, p.mean = append(p.files, f), p.mean+f.length
}

func plainTerms(s string) (out []string) {
	norm, z := text.Normalize(s), text.Tokenizer{}
	for _, t := range content(&z, &norm) {
		if t.Class == text.Word || t.Class == text.Bigram {
			out = append(out, t.Term)
		}
	}
	return out
}

func (p *plain) search(_ context.Context, query, _ string) (eval.Found, error) {
	const k1, b = .9, .4
	scores := map[string]float64{}
	found := eval.Found{}
	for _, f := range p.files {
		for _, term := range plainTerms(query) {
			tf := float64(f.freqs[term])
			scores[f.path] += lexical.IDF(len(p.files), p.df[term]) * tf / (tf + k1*(1-b+b*f.length/p.mean))
		}
		if scores[f.path] > 0 {
			found.Ranking = append(found.Ranking, eval.Target{Path: f.path})
		}
	}
	slices.SortStableFunc(found.Ranking, func(x, y eval.Target) int { return cmp.Compare(scores[y.Path], scores[x.Path]) })
	return found, nil
}
