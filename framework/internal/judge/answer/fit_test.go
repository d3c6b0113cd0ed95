//go:build fit

package answer

import (
	"encoding/json"
	"flag"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

var (
	ablate = flag.Bool("ablate", false, "TestFit: what each feature gains, by sets and domains left out")
	write  = flag.Bool("write", false, "TestFit: write data/weights.json")
)

// setWeight compensates for sets with few queries.
var setWeight = map[string]float64{"ja_jsquad": 1, "ja_jaquad": 1, "en_doc2dial": 3, "en_anthropic_docs": 6, "en_wiki": 1, "en_covid": 1}

func (p *pool) sentenceRows(group int) (rows []row) {
	best := p.r.widest()
	for i := range p.r.units {
		u := &p.r.units[i]
		right := p.right[i] && p.relevant(u.section)
		rows = append(rows, row{x: p.r.sentenceOf(u, best), y: right, group: group, w: setWeight[p.Set], set: p.Set})
	}
	return rows
}

// Weights of a set's own queries, of foreign ones and of unanswerable ones, which are few. Trusting an irrelevant
// section is worse than doubting a relevant one.
var (
	asAsked  = [3]float64{300, 300, 100}
	doubtful = [3]float64{300, 600, 600}
)

// balanced gives each set the same weight.
func balanced(rows []row, weights [3]float64) []row {
	type key struct {
		set     string
		foreign int
	}
	n := map[key]float64{}
	for _, r := range rows {
		n[key{r.set, r.group}]++
	}
	for i := range rows {
		rows[i].w = weights[rows[i].group] / n[key{rows[i].set, rows[i].group}]
	}
	return rows
}

// TestFit fits the weights on the even queries of each set and on the judged cases.
func TestFit(t *testing.T) {
	ps := pools(t, slices.Concat(sets, judged)...)
	var m fitted
	var sentence []row
	for i, p := range ps {
		if p.fittedOn() && p.Foreign == "" && len(p.Answers) > 0 {
			sentence = append(sentence, p.sentenceRows(i)...)
		}
	}
	m.Sentence = model{sentenceFeatures, softmax(sentence)}
	verdicts := func(of func(p *pool, c *choice, x []float64, group int)) {
		for _, p := range ps {
			if !p.fittedOn() || len(p.r.units) == 0 || p.judged() {
				continue
			}
			c := p.r.choose(&m.Sentence)
			group := int(oneIf(p.Foreign != ""))
			if p.Foreign == "none" {
				group = 2
			}
			of(p, &c, p.r.verdictOf(&c), group)
		}
	}
	var right, stands, relevance []row
	verdicts(func(p *pool, c *choice, x []float64, group int) {
		right = append(right, row{x: x, y: p.shown(c), group: group, set: p.Set})
		stands = append(stands, row{x: x, y: p.inFive(), group: group, set: p.Set})
	})
	fit := func(name string, features []string, rows []row) model {
		all, of := leaveOut(rows), map[string][]scored{}
		for i, r := range rows {
			of[r.set] = append(of[r.set], all[i])
		}
		for set, s := range of {
			curve(t, name+" without "+set, s)
		}
		curve(t, name+" without its set", all)
		if *ablate {
			base := loss(all)
			for f := range features {
				cut := slices.Clone(rows)
				for i := range cut {
					cut[i].x = slices.Delete(slices.Clone(cut[i].x), f, f+1)
				}
				left := leaveOut(cut)
				t.Logf("%s less %s: loss %+.4f, auc %+.4f", name, features[f], loss(left)-base, auc(left)-auc(all))
			}
		}
		return model{append([]string{"1"}, features...), logistic(rows)}
	}
	m.Right = fit("right", verdictFeatures, balanced(right, asAsked))
	m.Stands = fit("stands", verdictFeatures, balanced(stands, asAsked))
	ofGaps := slices.DeleteFunc(slices.Clone(ps), func(p *pool) bool { return slices.Contains(questions, p.Set) })
	missing, facet := gapRows(t, ofGaps, &m)
	m.Missing = fit("missing", missingFeatures, missing)
	m.Facet = fit("facet", facetFeatures, facet)
	verdicts(func(p *pool, c *choice, x []float64, group int) {
		l := p.r.absent(&m, c, m.Right.probability(x))
		for n := range min(5, len(p.r.sections)) {
			of := p.r.relevanceOf(n, c, x, l.most)
			relevance = append(relevance, row{x: of, y: p.relevant(n), group: group, set: p.Set})
		}
	})
	m.Relevance = fit("relevance", relevanceFeatures, balanced(relevance, doubtful))
	gapsLeftOut(t, ofGaps, m, missing, facet)
	for _, x := range []*model{&m.Sentence, &m.Right, &m.Stands, &m.Relevance, &m.Missing, &m.Facet} {
		for i, w := range x.Weights {
			x.Weights[i] = math.Round(w*10000) / 10000
		}
	}
	if !*write {
		return
	}
	data, err := json.MarshalIndent(struct {
		Date, Sources, Figures string
		fitted
	}{
		time.Now().Format(time.DateOnly), "even queries of JSQuAD, JaQuAD, cpprefjp, Doc2Dial, Anthropic docs, SciFact, SQuADShifts (new Wikipedia), COVID-QA; " +
			"judged cases, testdata/judge/cases.jsonl", "docs/reference/answered.md", m,
	}, "", "\t")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join("data", "weights.json"), append(data, '\n'), 0o644); err != nil {
		t.Fatal(err)
	}
}
