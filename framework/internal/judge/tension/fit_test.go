//go:build fit

package tension

import (
	"cmp"
	"context"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/sagasu-search/sagasu/framework/internal/judge/cases"
	"github.com/sagasu-search/sagasu/framework/internal/judge/section"
)

// How the weights are fitted.
const (
	wideWeight = 0.3  // of a case among as many sections as a search finds
	twinWeight = 0.2  // of a case made of another one
	rarity     = 0.6  // added to NoneBySections: half of the cases contradict themselves, hardly any corpus does
	penalty    = 10.0 // of a standardised weight's square
	rounds     = 150
	step       = 0.05
	folds      = 10
)

// Fitting is a set of fitted weights with the cross-validated predictions that their figures and thresholds come from.
type Fitting struct {
	Weights *Weights
	// Tallies are the results for the cases with their domain left out, named like those of Measure.
	Tallies map[string]*Tally
	// Likelihood is the mean log likelihood of the cases with their domain left out.
	Likelihood float64
	// Without is how much Likelihood falls without each feature; nil unless requested.
	Without map[string]float64
}

// sample is a case as the fit reads it.
type sample struct {
	of     *cases.Case
	g      *candidates
	values [][]float64 // of the features of each pair
	good   []bool      // of the pairs
	fold   int
	weight float64
	wide   bool
}

// Fit fits weights to cases by the likelihood that the right pair of sections, or none, is chosen; which sentences
// contradict each other is not known. Each case counts as it is, among the sections of other cases that contain most of
// its query, and as twins. sentences are the weights of sentences. Thresholds and figures come from leaving each domain out in turn; cases whose manuals share
// the first part of their id are one domain. With ablate, each feature is left out in turn too. It fails only when ctx
// ends.
func Fit(ctx context.Context, all []cases.Case, sentences map[string]float64, ablate bool) (*Fitting, error) {
	samples, err := sampled(ctx, all)
	if err != nil {
		return nil, err
	}
	held, err := leaveOut(ctx, samples, sentences, -1)
	if err != nil {
		return nil, err
	}
	f := &Fitting{Weights: fitSections(samples, sentences, -1, -1), Likelihood: likelihood(held), Tallies: make(map[string]*Tally)}
	f.Weights.thresholds(held)
	for _, h := range held {
		if !h.wide {
			add(f.Tallies, h.of, f.Weights.show(h.g, h.ranked))
		}
	}
	f.Weights.Figures = make(map[string]*Tally)
	for name, t := range f.Tallies {
		if !strings.Contains(name, "/") {
			f.Weights.Figures[name] = t
		}
	}
	if !ablate {
		return f, nil
	}
	f.Without = make(map[string]float64)
	for i := range features {
		less, err := leaveOut(ctx, samples, sentences, i)
		if err != nil {
			return nil, err
		}
		f.Without[features[i].name] = f.Likelihood - likelihood(less)
	}
	return f, nil
}

func sampled(ctx context.Context, all []cases.Case) ([]sample, error) {
	fold := domains(all)
	wide := widen(all)
	out := make([]sample, 0, 2*len(all))
	for i := range all {
		c := &all[i]
		group := []sample{{of: c, weight: 1}, {of: &wide[i], weight: wideWeight, wide: true}}
		for _, twin := range twins(c) {
			group = append(group, sample{of: twin, weight: twinWeight, wide: true})
		}
		for _, s := range group {
			g, err := compareCase(ctx, s.of)
			if err != nil {
				return nil, err
			}
			s.g, s.fold = g, fold[i]%folds
			for k, p := range g.pairs {
				s.values = append(s.values, g.values[k][:])
				s.good = append(s.good, slices.Contains(s.of.Conflicts, [2]int{p.a.evidence, p.b.evidence}))
			}
			out = append(out, s)
		}
	}
	return out, nil
}

func compareCase(ctx context.Context, c *cases.Case) (*candidates, error) {
	answers, err := answersIn(ctx, c)
	if err != nil {
		return nil, err
	}
	return compare(ctx, c.Query, c.Evidences, answers)
}

// domains numbers the domain of each case.
func domains(all []cases.Case) []int {
	into := make([]int, len(all)) // an earlier case of its domain, itself for none
	root := func(i int) int {
		for into[i] != i {
			i = into[i]
		}
		return i
	}
	with := make(map[string]int) // the first part of a manual's id: a case that has it
	for i := range all {
		into[i] = i
		for _, e := range all[i].Evidences {
			prefix, _, _ := strings.Cut(e.ManualID, "-")
			if other, met := with[prefix]; met {
				into[root(i)] = root(other)
			}
			with[prefix] = i
		}
	}
	out, number := make([]int, len(all)), make(map[int]int)
	for i := range all {
		d, met := number[root(i)]
		if !met {
			d = len(number)
			number[root(i)] = d
		}
		out[i] = d
	}
	return out
}

// widen puts each case among the sections of other cases that contain most of its query.
func widen(all []cases.Case) []cases.Case {
	type candidate struct {
		of    int
		e     *section.Section
		words map[uint32]bool
	}
	var pool []candidate
	df := make(map[uint32]int)
	for i := range all {
		for k := range all[i].Evidences {
			e := &all[i].Evidences[k]
			s := candidate{i, e, make(map[uint32]bool)}
			words(e.Heading+"\n"+e.Text, func(w word) { s.words[w.id] = true })
			for id := range s.words {
				df[id]++
			}
			pool = append(pool, s)
		}
	}
	out := slices.Clone(all)
	for i := range out {
		query := make(map[uint32]float64)
		words(out[i].Query.Text, func(w word) { query[w.id] = float64(w.weight) * idf(df[w.id], len(pool)) })
		ids := slices.Sorted(maps.Keys(query)) // sums of floats depend on the order
		held := make(map[*section.Section]float64)
		var others []*section.Section
		for _, s := range pool {
			if s.of == i || all[s.of].Lang != all[i].Lang {
				continue
			}
			for _, id := range ids {
				if s.words[id] {
					held[s.e] += query[id]
				}
			}
			others = append(others, s.e)
		}
		slices.SortStableFunc(others, func(a, b *section.Section) int { return descending(held[a], held[b]) })
		out[i].Evidences = slices.Clone(out[i].Evidences)
		for _, e := range others[:min(len(others), max(0, MostEvidences-len(out[i].Evidences)))] {
			out[i].Evidences = append(out[i].Evidences, *e)
		}
	}
	return out
}

// heldOut is a sample ranked by weights that were fitted to the other domains.
type heldOut struct {
	*sample
	ranked []match
}

func leaveOut(ctx context.Context, samples []sample, sentences map[string]float64, without int) (out []heldOut, err error) {
	for fold := range folds {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		w := fitSections(samples, sentences, fold, without)
		for i := range samples {
			if samples[i].fold == fold {
				out = append(out, heldOut{&samples[i], w.rank(samples[i].g)})
			}
		}
	}
	return out, nil
}

func likelihood(held []heldOut) float64 {
	sum, n := 0.0, 0.0
	for _, h := range held {
		right, any := 0.0, 0.0
		for _, m := range h.ranked {
			any += m.probability
			if slices.Contains(h.of.Conflicts, [2]int{m.a, m.b}) {
				right += m.probability
			}
		}
		if len(h.of.Conflicts) == 0 {
			right = 1 - any
		}
		sum += h.weight * math.Log(max(right, 1e-4))
		n += h.weight
	}
	return sum / n
}

// fitSections fits the weights of sections to all samples except those of a fold, and to all features except one; -1
// leaves out none.
func fitSections(samples []sample, sentences map[string]float64, fold, without int) *Weights {
	w := fit(kept(samples, fold), features[:], penalty, without, false)
	w.NoneBySections += rarity
	w.Sentences = sentences
	return w
}

// kept returns the samples of other folds, except those with a contradiction that cannot be found.
func kept(samples []sample, fold int) (out []*sample) {
	for i := range samples {
		if s := &samples[i]; s.fold != fold && (len(s.of.Conflicts) == 0 || slices.Contains(s.good, true)) {
			out = append(out, s)
		}
	}
	return out
}

// fit fits the weights of features, except one, to samples. With given, one pair of each is right.
func fit(samples []*sample, features []feature, penalty float64, without int, given bool) *Weights {
	mean, deviation := spread(samples, len(features))
	none, bySections, n := len(features), len(features)+1, len(features)+2
	theta, first, second := make([]float64, n), make([]float64, n), make([]float64, n) // of the standardised features
	theta[none], theta[bySections] = 2, 0.5
	weights := make([]float64, len(features))
	for t := 1.0; t <= rounds; t++ { // Adam
		var shift float64
		for k := range weights {
			if k != without {
				weights[k] = theta[k] / deviation[k]
				shift -= weights[k] * mean[k]
			}
		}
		grad := make([]float64, n)
		for _, s := range samples {
			nothing := theta[none] + theta[bySections]*s.g.size
			if given {
				nothing = math.Inf(-1)
			}
			s.ascend(weights, shift, nothing, grad)
		}
		for k := range features { // gradient of the standardised features
			grad[k] = (grad[k]+mean[k]*grad[none])/deviation[k] - penalty*theta[k]
		}
		for k := range theta {
			first[k] = 0.9*first[k] + 0.1*grad[k]
			second[k] = 0.99*second[k] + 0.01*grad[k]*grad[k]
			theta[k] += step * first[k] / (1 - math.Pow(0.9, t)) / (math.Sqrt(second[k]/(1-math.Pow(0.99, t))) + 1e-8)
		}
	}
	w := &Weights{None: theta[none], NoneBySections: theta[bySections], Features: make(map[string]float64)}
	for k := range features {
		w.Features[features[k].name] = weights[k]
		w.None += weights[k] * mean[k]
	}
	return w
}

// spread returns the mean and standard deviation of n features.
func spread(samples []*sample, n int) (mean, deviation []float64) {
	mean, deviation = make([]float64, n), make([]float64, n)
	pairs := 0.0
	for _, s := range samples {
		for i := range s.values {
			for k, x := range s.values[i] {
				mean[k] += x
				deviation[k] += x * x
			}
		}
		pairs += float64(len(s.values))
	}
	for k := range mean {
		mean[k] /= max(pairs, 1)
		deviation[k] = math.Sqrt(max(deviation[k]/max(pairs, 1)-mean[k]*mean[k], 1e-4))
	}
	return mean, deviation
}

// ascend adds the gradient of the log likelihood of a sample.
func (s *sample) ascend(weights []float64, shift, none float64, grad []float64) {
	scores, top := make([]float64, len(s.values)), none
	for i := range s.values {
		score := shift
		for k, x := range s.values[i] {
			score += weights[k] * x
		}
		scores[i], top = score, max(top, score)
	}
	all, right := math.Exp(none-top), 0.0
	if len(s.of.Conflicts) == 0 {
		right = all
	}
	for i := range scores {
		scores[i] = math.Exp(scores[i] - top)
		if all += scores[i]; s.good[i] {
			right += scores[i]
		}
	}
	slope := -math.Exp(none-top) / all
	if len(s.of.Conflicts) == 0 {
		slope++
	}
	grad[len(weights)] += s.weight * slope
	grad[len(weights)+1] += s.weight * slope * s.g.size
	for i, score := range scores {
		d := -score / all
		if s.good[i] {
			d += score / right
		}
		if d *= s.weight; math.Abs(d) > 1e-6 {
			for k, x := range s.values[i] {
				grad[k] += d * x
			}
		}
	}
}

// exclaimed replaces the ends of sentences.
var exclaimed = strings.NewReplacer(". ", "! ", ".\n", "!\n", "。", "！")

// twins makes two cases from a case with a contradiction. In the first, the second section repeats the first one,
// exclaimed since copies are not compared, so that there is no contradiction. In the other, if numbers contradict, it
// repeats it with other numbers.
func twins(c *cases.Case) (out []*cases.Case) {
	for _, pair := range c.Conflicts[:min(1, len(c.Conflicts))] {
		text := c.Evidences[pair[0]].Text
		same, other := *c, *c
		same.Conflicts = nil
		same.Evidences, other.Evidences = slices.Clone(c.Evidences), slices.Clone(c.Evidences)
		same.Evidences[pair[1]].Text = exclaimed.Replace(text)
		other.Evidences[pair[1]].Text = strings.Map(func(r rune) rune {
			if r >= '0' && r <= '9' {
				return '0' + (r-'0'+3)%10
			}
			return r
		}, text)
		out = append(out, &same)
		if c.Kind == "conflict/number" || c.Kind == "conflict/date" {
			out = append(out, &other)
		}
	}
	return out
}

// Targets for the thresholds, on cases whose domain was not fitted.
const (
	mostShown = 0.72 // tensions per clean case
	leastSure = 0.88 // precision of conflicts
)

// thresholds chooses Shown and Asserted.
func (w *Weights) thresholds(held []heldOut) {
	type claim struct {
		probability float64
		right       bool
	}
	var claims []claim
	var tempted []float64
	n := 0
	for _, h := range held {
		if h.wide {
			continue
		}
		n += count(clean(h.of))
		for _, m := range best(h.ranked) {
			if clean(h.of) {
				tempted = append(tempted, m.probability)
			}
			if w.nameable(h.g, &m) {
				claims = append(claims, claim{m.probability, slices.Contains(h.of.Conflicts, [2]int{m.a, m.b})})
			}
		}
	}
	slices.SortFunc(tempted, descending)
	if k := int(mostShown * float64(n)); k < len(tempted) {
		w.Shown = tempted[k]
	}
	slices.SortStableFunc(claims, func(a, b claim) int { return descending(a.probability, b.probability) })
	w.Asserted = 1
	right := 0
	for i, c := range claims {
		if !c.right {
			continue
		}
		if right++; float64(right) >= leastSure*float64(i+1) {
			w.Asserted = c.probability
		}
	}
}

func descending(a, b float64) int { return cmp.Compare(b, a) }
