//go:build soak

package testbed

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/sagasu-search/sagasu/framework/internal/eval"
	"github.com/sagasu-search/sagasu/sdk/lexical"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/text"
	"github.com/sagasu-search/sagasu/sdk/x/guard"
)

// TestAcrossSets chooses settings on all sets but one, for each set in turn, and logs the difference between that set's
// result and plain BM25. It rejects settings with which nDCG@10 or recall@100 of a set falls significantly or by more
// than the slack. Of the others, it takes the one with the highest sum of both, averaged over the sets. SAGASU_SETS
// names folders with corpus and queries.jsonl, SAGASU_FIGURES is a regular expression for the figures to choose, and
// SAGASU_BASE names those to begin with. It uses every second query unless SAGASU_ALL is set.
func TestAcrossSets(t *testing.T) {
	dirs := strings.Fields(os.Getenv("SAGASU_SETS"))
	if len(dirs) < 2 {
		t.Skip("SAGASU_SETS names no sets")
	}
	figures := regexp.MustCompile(cmp.Or(os.Getenv("SAGASU_FIGURES"), `\.weight$|coverage`))
	var sets []acrossSet
	var parts [][]int
	at := 0
	for _, dir := range dirs {
		s := openAcross(t, dir)
		part := make([]int, len(s.queries))
		for i := range part {
			part[i], at = at, at+1
		}
		sets, parts = append(sets, s), append(parts, part)
	}
	parameters := slices.DeleteFunc(sets[0].testbed.parameters(sets[0].base), func(p eval.Parameter) bool {
		return !figures.MatchString(p.Name)
	})
	measured := map[string][]outcomes{}
	measure := func(ctx context.Context, s eval.Setting) ([]outcomes, error) {
		if found, ok := measured[s.String()]; ok {
			return found, nil
		}
		out := make([]outcomes, len(sets))
		errs := guard.Each(len(sets), func(i int) error {
			e, err := sets[i].testbed.engine(ctx, sets[i].base.with(s), true)
			if err == nil {
				out[i], err = sets[i].measure(ctx, ranking(e))
			}
			return err
		})
		measured[s.String()] = out
		var line strings.Builder
		for _, m := range out {
			fmt.Fprintf(&line, " %.4f %.4f", mean(m.ndcg), mean(m.recall))
		}
		t.Logf("%-60s%s", s, line.String())
		return out, cmp.Or(errs...)
	}
	tuning, err := eval.Tune(t.Context(), parts, parameters,
		func(ctx context.Context, s eval.Setting) (scores []float64, err error) {
			found, err := measure(ctx, s)
			if err != nil {
				return nil, err
			}
			for i, m := range found {
				before := measured[""][i]
				ndcg, recall := eval.Paired(m.ndcg, before.ndcg), eval.Paired(m.recall, before.recall)
				refused := ndcg.Falls() || recall.Falls() || min(ndcg.Mean, recall.Mean) < -slack
				for q := range m.ndcg {
					score := m.ndcg[q] + m.recall[q]
					if refused {
						score = -1
					}
					scores = append(scores, score*float64(at)/float64(len(sets)*len(m.ndcg))) // each set counts equally
				}
			}
			return scores, nil
		})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d settings; on all sets: %s", tuning.Runs, tuning.Found)
	for i, s := range sets {
		plain, err := s.measure(t.Context(), plainBM25(s.testbed.view.Snapshot))
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s: %d queries, plain BM25 %.4f %.4f; without it chosen: %s", filepath.Base(dirs[i]), len(s.queries),
			mean(plain.ndcg), mean(plain.recall), tuning.Folds[i].Found)
		for _, of := range []struct {
			name    string
			setting eval.Setting
		}{{"present", nil}, {"held out", tuning.Folds[i].Found}, {"one for all", tuning.Found}} {
			m := measured[of.setting.String()][i]
			t.Logf("  %-11s nDCG@10 %.4f %s, recall@100 %.4f %s", of.name, mean(m.ndcg),
				eval.Paired(m.ndcg, plain.ndcg), mean(m.recall), eval.Paired(m.recall, plain.recall))
		}
	}
}

// acrossSet is a set with its testbed.
type acrossSet struct {
	testbed *Testbed
	base    Variant
	queries []eval.Query
}

func openAcross(t *testing.T, dir string) acrossSet {
	t.Helper()
	queries, err := eval.ReadQueryFile(filepath.Join(dir, "queries.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	if os.Getenv("SAGASU_ALL") == "" {
		for i := range (len(queries) + 1) / 2 {
			queries[i] = queries[2*i]
		}
		queries = queries[:(len(queries)+1)/2]
	}
	b := localTestbed(t, filepath.Join(dir, "corpus"))
	s := acrossSet{b, usual(t, b), queries}
	if err := s.testbed.readValues(&s.base, strings.Fields(os.Getenv("SAGASU_BASE"))); err != nil {
		t.Fatal(err)
	}
	return s
}

func (s acrossSet) measure(ctx context.Context, search eval.Search) (outcomes, error) {
	return outcomesOf(ctx, s.queries, search, func(string, eval.Found) {})
}

// plainBM25 is BM25 with k1 .9 and b .4 over headings and text as one field, with stemmed words and Japanese bigrams.
func plainBM25(snap *snapshot.Snapshot) eval.Search {
	const k1, b = 0.9, 0.4
	length := snap.AvgLen(snapshot.FieldHeading) + snap.AvgLen(snapshot.FieldBody)
	return func(_ context.Context, query, _ string) (found eval.Found, err error) {
		norm := text.Normalize(query)
		var z text.Tokenizer
		scores := map[uint32]float64{}
		seen := map[string]bool{}
		for token := range z.Tokens(&norm) {
			if token.Class != text.Word && token.Class != text.Bigram || seen[token.Term] ||
				text.EnglishStop(norm.Norm[token.Start:token.End]) {
				continue
			}
			seen[token.Term] = true
			idf := lexical.IDF(int(snap.Live().GetCardinality()), snap.DocFreq(token.Term))
			for _, seg := range snap.Segments() {
				var p snapshot.Postings
				for ok := seg.Postings(token.Term, &p); ok && p.Next(); {
					for i, d := range p.Docs {
						tf := float64(p.Freq(snapshot.FieldHeading, i)) + float64(p.Freq(snapshot.FieldBody, i))
						l := float64(seg.Lengths(snapshot.FieldHeading)[d]) + float64(seg.Lengths(snapshot.FieldBody)[d])
						if tf > 0 && snap.Live().Contains(seg.Base()+d) {
							scores[seg.Base()+d] += idf * tf * (k1 + 1) / (tf + k1*(1-b+b*l/length))
						}
					}
				}
			}
		}
		var hits []lexical.Hit
		for section, score := range scores {
			hits = append(hits, lexical.Hit{Section: section, Score: score})
		}
		slices.SortFunc(hits, func(x, y lexical.Hit) int {
			return cmp.Or(cmp.Compare(y.Score, x.Score), cmp.Compare(x.Section, y.Section))
		})
		for _, h := range hits[:min(depth, len(hits))] {
			sec, _ := snap.Section(h.Section)
			found.Ranking = append(found.Ranking, eval.Target{ManualID: sec.Group, Path: sec.Path, StartLine: sec.Start})
		}
		return found, nil
	}
}
