//go:build fit

package answer

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"testing"
	"time"

	"github.com/sagasu-search/sagasu/sdk/text"
)

var poolsDir = flag.String("pools", "", "the folder that TestPools of framework/internal/cli wrote")

var (
	odd    = flag.Bool("odd", false, "TestFigures: the half that was not fitted on")
	ablate = flag.Bool("ablate", false, "TestFit: what each feature gains, by sets and domains left out")
	write  = flag.Bool("write", false, "TestFit: write data/weights.json")
)

// pool is a query with what was found, and what is known of it.
type pool struct {
	Set, ID, Foreign, Status string
	Odd                      bool
	Answers                  []string
	Kind                     string
	Gaps                     []string
	Relevant                 []int
	Known                    int
	In                       map[string]int
	Input

	r     *reading
	right []bool // of each unit
}

var sets = []string{"ja_jsquad", "ja_jaquad", "scale_ja", "en_doc2dial", "en_anthropic_docs", "en_scifact"}

func pools(t testing.TB, sets ...string) (out []*pool) {
	if *poolsDir == "" {
		t.Skip("only with -pools")
	}
	for _, set := range sets {
		f, err := os.Open(filepath.Join(*poolsDir, set+".jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		in := bufio.NewScanner(f)
		in.Buffer(nil, 1<<22)
		for in.Scan() {
			p := new(pool)
			if err := json.Unmarshal(in.Bytes(), p); err != nil {
				t.Fatal(err)
			}
			if p.r, err = read(t.Context(), &p.Input, new(text.Tokenizer)); err != nil {
				t.Fatal(err)
			}
			p.judge()
			out = append(out, p)
		}
		if in.Err() != nil {
			t.Fatal(in.Err())
		}
		f.Close()
	}
	return out
}

// judge says which units answer: those that hold an answer or, where answers are long, are mostly made of its words.
func (p *pool) judge() {
	p.right = make([]bool, len(p.r.units))
	for i := range p.r.units {
		p.right[i] = p.answers(p.r.units[i].text)
	}
}

func (p *pool) answers(s string) bool {
	norm := strings.ReplaceAll(text.Fold(s), " ", "")
	for _, a := range p.Answers {
		a = text.Fold(a)
		if strings.HasPrefix(p.Set, "ja") {
			if strings.Contains(norm, strings.ReplaceAll(a, " ", "")) {
				return true
			}
			continue
		}
		words, have, held := map[string]bool{}, 0, 0
		for _, w := range strings.Fields(a) {
			words[strings.Trim(w, ".,;:()'\"")] = true
		}
		for _, w := range strings.Fields(text.Fold(s)) {
			if w = strings.Trim(w, ".,;:()'\""); len(w) > 3 && !text.EnglishStop(w) {
				have++
				if words[w] {
					held++
				}
			}
		}
		if have >= 3 && float64(held) >= 0.6*float64(have) {
			return true
		}
	}
	return false
}

func (p *pool) relevant(n int) bool {
	for _, r := range p.Relevant {
		if r == n {
			return true
		}
	}
	return false
}

// row is one example of a regression; of a softmax, rows of one group compete.
type row struct {
	x     []float64
	y     bool
	w     float64
	group int
	set   string
}

// exact reports a set whose answers are strings of its texts. In the others the right section has to do.
func (p *pool) exact() bool { return p.Set == "ja_jsquad" || p.Set == "ja_jaquad" }

// setWeight makes up for how few queries a set has.
var setWeight = map[string]float64{"ja_jsquad": 1, "ja_jaquad": 1, "en_doc2dial": 3, "en_anthropic_docs": 6}

const ridge = 1.0

// logistic fits weights by Newton's method with a ridge; the bias comes first and has none.
func logistic(rows []row) []float64 {
	n := len(rows[0].x) + 1
	w := make([]float64, n)
	for range 30 {
		g, h := make([]float64, n), square(n)
		for i := 1; i < n; i++ {
			g[i], h[i][i] = -ridge*w[i], ridge
		}
		for _, r := range rows {
			x := append([]float64{1}, r.x...)
			p := sigmoid(dot(w, x))
			for i := range x {
				g[i] += r.w * (oneIf(r.y) - p) * x[i]
				for j := range x {
					h[i][j] += r.w * p * (1 - p) * x[i] * x[j]
				}
			}
		}
		step := solve(h, g)
		for i := range w {
			w[i] += step[i]
		}
		if dot(step, step) < 1e-12 {
			break
		}
	}
	return w
}

// softmax fits weights by which a right row of a group wins.
func softmax(rows []row) []float64 {
	groups := map[int][]row{}
	for _, r := range rows {
		groups[r.group] = append(groups[r.group], r)
	}
	n := len(rows[0].x)
	w := make([]float64, n)
	for range 60 {
		g, h := make([]float64, n), square(n)
		for i := range w {
			g[i], h[i][i] = -ridge*w[i], ridge
		}
		for _, rs := range groups {
			all, right := make([]float64, len(rs)), make([]float64, len(rs))
			sa, sr := 0.0, 0.0
			for i, r := range rs {
				all[i] = math.Exp(dot(w, r.x))
				sa += all[i]
				if r.y {
					right[i] = all[i]
					sr += all[i]
				}
			}
			if sr == 0 {
				continue
			}
			mean, want := make([]float64, n), make([]float64, n)
			for i, r := range rs {
				for k, v := range r.x {
					mean[k] += all[i] / sa * v
					want[k] += right[i] / sr * v
				}
			}
			for i, r := range rs {
				for k := range r.x {
					dk := r.x[k] - mean[k]
					for l := range r.x {
						h[k][l] += rs[0].w * all[i] / sa * dk * (r.x[l] - mean[l])
					}
				}
			}
			for k := range g {
				g[k] += rs[0].w * (want[k] - mean[k])
			}
		}
		step := solve(h, g)
		length := max(1, math.Sqrt(dot(step, step))) // far from the optimum Newton's step leads astray
		for i := range w {
			w[i] += step[i] / length
		}
		if dot(step, step) < 1e-10 {
			break
		}
	}
	return w
}

func dot(a, b []float64) (s float64) {
	for i := range a {
		s += a[i] * b[i]
	}
	return s
}

func square(n int) [][]float64 {
	h := make([][]float64, n)
	for i := range h {
		h[i] = make([]float64, n)
	}
	return h
}

// solve solves h·x = g by elimination.
func solve(h [][]float64, g []float64) []float64 {
	n := len(g)
	for i := range n {
		h[i] = append(h[i], g[i])
	}
	for i := range n {
		p := i
		for k := i; k < n; k++ {
			if math.Abs(h[k][i]) > math.Abs(h[p][i]) {
				p = k
			}
		}
		h[i], h[p] = h[p], h[i]
		if math.Abs(h[i][i]) < 1e-12 {
			h[i][i] = 1e-12
		}
		for k := range n {
			if k == i {
				continue
			}
			f := h[k][i] / h[i][i]
			for l := i; l <= n; l++ {
				h[k][l] -= f * h[i][l]
			}
		}
	}
	x := make([]float64, n)
	for i := range n {
		x[i] = h[i][n] / h[i][i]
	}
	return x
}

func (p *pool) sentenceRows(group int) (rows []row) {
	best := p.r.widest()
	for i := range p.r.units {
		u := &p.r.units[i]
		rows = append(rows, row{x: p.r.sentenceOf(u, best), y: p.right[i] && p.relevant(u.section), group: group, w: setWeight[p.Set], set: p.Set})
	}
	return rows
}

func (p *pool) inFive() bool {
	for _, r := range p.Relevant {
		if r < 5 {
			return true
		}
	}
	return false
}

// cutText is what an answer shows of a unit.
func (p *pool) shown(c *choice) bool {
	if c.unit < 0 {
		return false
	}
	if p.exact() {
		return p.answers(p.r.excerpt(c.unit))
	}
	return p.relevant(p.r.units[c.unit].section)
}

// rates prints how a threshold fares.
func curve(t *testing.T, name string, ps []scored) {
	sort.Slice(ps, func(i, j int) bool { return ps[i].p > ps[j].p })
	line := ""
	for _, cov := range []float64{.3, .4, .5, .6, .7, 1} {
		n, right := int(cov*float64(len(ps))), 0
		for _, s := range ps[:n] {
			if s.y {
				right++
			}
		}
		if n > 0 {
			line += fmt.Sprintf("  %.0f%%: %.3f (p %.2f)", cov*100, float64(right)/float64(n), ps[n-1].p)
		}
	}
	t.Logf("%-22s n %4d %s  auc %.3f ece %.3f", name, len(ps), line, auc(ps), ece(ps))
}

type scored struct {
	p float64
	y bool
}

func auc(ps []scored) float64 {
	sort.Slice(ps, func(i, j int) bool { return ps[i].p < ps[j].p })
	pos, neg, sum := 0.0, 0.0, 0.0
	for i := 0; i < len(ps); {
		j := i
		tp, tn := 0.0, 0.0
		for ; j < len(ps) && ps[j].p == ps[i].p; j++ {
			if ps[j].y {
				tp++
			} else {
				tn++
			}
		}
		sum += tp * (neg + tn/2)
		pos, neg, i = pos+tp, neg+tn, j
	}
	return sum / (pos * neg)
}

func ece(ps []scored) float64 {
	var n, p, y [10]float64
	for _, s := range ps {
		b := min(9, int(s.p*10))
		n[b]++
		p[b] += s.p
		y[b] += oneIf(s.y)
	}
	sum := 0.0
	for b := range n {
		sum += math.Abs(p[b] - y[b])
	}
	return sum / float64(len(ps))
}

// leaveOut yields for each set the weights fitted without it.
func leaveOut(rows []row, by func(row) string) map[string][]float64 {
	out := map[string][]float64{}
	for _, r := range rows {
		k := by(r)
		if out[k] != nil {
			continue
		}
		var rest []row
		for _, x := range rows {
			if by(x) != k {
				rest = append(rest, x)
			}
		}
		out[k] = logistic(rest)
	}
	return out
}

func predict(w, x []float64) float64 { return sigmoid(w[0] + dot(w[1:], x)) }

// domains tell the ten domains of the judged cases by the first manual's id; those that are marked true are
// fitted on, the others were looked at once.
var domains = []struct {
	name    string
	fitted  bool
	manuals string
}{
	{"transport", true, "rail ferry bus tour station midland-lines aerovale"},
	{"university", true, "handbook lang-center faculty intl grad shogaku campus exam-office gakusoku lab-rules research library facility uni-kestrel"},
	{"staff", true, "hr- payroll keihi maternity"},
	{"warehouse", true, "client-guide wh- pack-guide cold-manual dock-guide contract corvane-dc"},
	{"appliances", true, "rc-manual ac-manual mw-manual rf-manual hb-manual hm-manual ap-manual drylux spulmax mikra lavello baristella casserina robbo"},
	{"hospital", true, "northmoor"},
}

func (p *pool) domain() string {
	for _, d := range domains {
		for _, m := range strings.Fields(d.manuals) {
			if strings.HasPrefix(p.Evidences[0].ManualID, m) {
				return d.name
			}
		}
	}
	return ""
}

// without is the pool less the sections that hold a term: a corpus that does not know it.
func (p *pool) without(t *testing.T, a *term) *reading {
	in := p.Input
	in.Held, in.Evidences = nil, nil
	for n := range p.r.sections {
		if !(p.r.holds(n, a) || p.r.writes(n, a)) {
			in.Evidences = append(in.Evidences, p.Evidences[n])
		}
	}
	if len(in.Evidences) < 2 {
		return nil
	}
	r, err := read(t.Context(), &in, new(text.Tokenizer))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func (p *pool) judged() bool { return strings.HasPrefix(p.Set, "judge") }

// missingRows are terms that nothing holds: those of answerable queries are no gaps, and those whose sections were
// taken away are.
func (p *pool) missingRows(t *testing.T) (rows []row) {
	key := p.Set
	if p.judged() {
		key = p.domain()
	}
	for n, a := range p.r.asked {
		if !p.r.thing(&a) {
			continue
		}
		if !a.held {
			if !p.judged() || p.Kind[:3] != "gap" {
				rows = append(rows, row{x: p.r.missingOf(n), w: 4, set: key})
			} else if p.Kind == "gap/term" {
				rows = append(rows, row{x: p.r.missingOf(n), w: 10, y: p.names(a.Text), set: key})
			}
			continue
		}
		if r := p.without(t, &a); r != nil {
			rows = append(rows, row{x: r.missingOf(n), y: true, w: 1, set: key})
		}
	}
	return rows
}

// names reports whether a term is of the gap that a case expects.
func (p *pool) names(term string) bool {
	for _, g := range p.Gaps {
		if strings.Contains(term, g) || strings.Contains(strings.ToLower(g), term) {
			return true
		}
	}
	return false
}

// facetRows are the facets that a query asks for: given in an answerable one, gaps where what answers is taken away.
func (p *pool) facetRows(t *testing.T, m *model) (rows []row) {
	key := p.Set
	if p.judged() {
		key = p.domain()
	}
	c := p.r.choose(m)
	for _, f := range p.r.facets {
		if f.name == "date" {
			continue
		}
		y := p.judged() && slices.Contains(p.Gaps, f.name)
		w := .5
		if p.judged() {
			w = 3
		}
		if y {
			w = 15
		}
		rows = append(rows, row{x: p.r.facetOf(f, &c), y: y, w: w, set: key})
	}
	return rows
}

// fittedOn reports whether the weights were made of a pool.
func (p *pool) fittedOn() bool {
	if p.judged() {
		return p.domain() != ""
	}
	return !p.Odd
}

// answerable reports a query whose evidence was found.
func (p *pool) answerable() bool { return !p.judged() && p.Foreign == "" && p.inFive() }

// balanced gives each set the same weight, and its foreign queries as much.
func balanced(rows []row) []row {
	type key struct {
		set     string
		foreign int
	}
	n := map[key]float64{}
	for _, r := range rows {
		n[key{r.set, r.group}]++
	}
	for i := range rows { // of the unanswerable ones there are few
		rows[i].w = []float64{300, 300, 100}[rows[i].group] / n[key{rows[i].set, rows[i].group}]
	}
	return rows
}

// TestFit fits the weights on the even queries of each set and on half of the judged domains.
func TestFit(t *testing.T) {
	ps := pools(t, append(sets, "judge_ja", "judge_en")...)
	var m fitted
	var sentence []row
	for i, p := range ps {
		if p.fittedOn() && p.Foreign == "" && len(p.Answers) > 0 {
			sentence = append(sentence, p.sentenceRows(i)...)
		}
	}
	m.Sentence = model{sentenceFeatures, softmax(sentence)}
	var right, stands, relevance, missing, facet []row
	for i, p := range ps {
		if !p.fittedOn() || len(p.r.units) == 0 {
			continue
		}
		c := p.r.choose(&m.Sentence)
		x := p.r.verdictOf(&c)
		foreign := int(oneIf(p.Foreign != ""))
		if p.Foreign == "none" {
			foreign = 2
		}
		if !p.judged() {
			right = append(right, row{x: x, y: p.shown(&c), group: foreign, set: p.Set})
			stands = append(stands, row{x: x, y: p.inFive(), group: foreign, set: p.Set})
			for n := range min(5, len(p.r.sections)) {
				relevance = append(relevance, row{x: p.r.relevanceOf(n, &c, x), y: p.relevant(n), group: foreign, set: p.Set})
			}
		}
		if p.judged() || p.answerable() {
			facet = append(facet, p.facetRows(t, &m.Sentence)...)
			if p.judged() || i%3 == 0 {
				missing = append(missing, p.missingRows(t)...)
			}
		}
	}
	fit := func(name string, features []string, rows []row) model {
		loo := leaveOut(rows, func(r row) string { return r.set })
		all := []scored{}
		of := map[string][]scored{}
		for _, r := range rows {
			s := scored{predict(loo[r.set], r.x), r.y}
			all, of[r.set] = append(all, s), append(of[r.set], s)
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
				loo, left := leaveOut(cut, func(r row) string { return r.set }), []scored{}
				for _, r := range cut {
					left = append(left, scored{predict(loo[r.set], r.x), r.y})
				}
				t.Logf("%s less %s: loss %+.4f, auc %+.4f", name, features[f], loss(left)-base, auc(left)-auc(all))
			}
		}
		return model{append([]string{"1"}, features...), logistic(rows)}
	}
	m.Right = fit("right", verdictFeatures, balanced(right))
	m.Stands = fit("stands", verdictFeatures, balanced(stands))
	m.Relevance = fit("relevance", relevanceFeatures, balanced(relevance))
	m.Missing = fit("missing", missingFeatures, missing)
	m.Facet = fit("facet", facetFeatures, facet)
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
	}{time.Now().Format(time.DateOnly), "even queries of JSQuAD, JaQuAD, cpprefjp, Doc2Dial, Anthropic docs, SciFact; half of the domains of the judged cases",
		"docs/reference/answered.md", m}, "", "\t")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join("data", "weights.json"), append(data, '\n'), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestFigures measures what is judged with the weights that ship.
func TestFigures(t *testing.T) {
	ps := pools(t, append(sets, "judge_ja", "judge_en")...)
	total := struct{ n, ready, fine, gaps int }{}
	var confidence []scored
	tables := map[string][]scored{}
	for _, set := range sets {
		var n, told, right, ready, fine, gaps, found, foreign, foreignReady, none, noneReady, high int
		for _, p := range ps {
			if p.Set != set || p.fittedOn() == *odd {
				continue
			}
			j := p.r.judge(weights())
			for i, c := range j.Relevance[:min(3, len(j.Relevance))] {
				s := scored{c, p.relevant(i)}
				confidence, tables[set] = append(confidence, s), append(tables[set], s)
			}
			switch p.Foreign {
			case "":
				n++
				if j.Answer != nil {
					told++
					ok := p.answers(j.Answer.Text)
					if !p.exact() {
						ok = p.relevant(j.Answer.Evidence)
					}
					right += int(oneIf(ok))
				}
				if p.inFive() {
					found++
					gaps += min(1, len(j.Gaps))
					if len(j.Gaps) > 0 {
						t.Logf("gap %v : %s", j.Gaps, p.Query.Raw)
					}
				}
				if j.Ready() {
					ready++
					fine += int(oneIf(p.inFive()))
				}
			case "none":
				none++
				noneReady += int(oneIf(j.Ready()))
				if len(j.Relevance) > 0 && slices.Max(j.Relevance) > .3 {
					high++
					t.Logf("none %.2f stands %.2f %s", slices.Max(j.Relevance), j.Stands, p.Query.Raw)
				}
			default:
				foreign++
				foreignReady += int(oneIf(j.Ready()))
				if j.Ready() {
					t.Logf("foreign ready %.2f %s : %s", j.Stands, p.Query.Raw, j.Answer.Text)
				}
			}
		}
		t.Logf("%-18s n %d answered %.2f right %.2f ready %.2f right %.2f gaps %.3f; foreign %d ready %d; none %d ready %d, confidence above .3: %d", set, n,
			float64(told)/float64(n), ratio(right, told), ratio(ready, n), ratio(fine, ready), ratio(gaps, found), foreign, foreignReady, none, noneReady, high)
		curve(t, "confidence "+set, tables[set])
		total.n, total.ready, total.fine, total.gaps = total.n+n, total.ready+ready, total.fine+fine, total.gaps+gaps
	}
	t.Logf("all: ready %.2f right %.2f, gaps %d of %d", ratio(total.ready, total.n), ratio(total.fine, total.ready), total.gaps, total.n)
	curve(t, "confidence", confidence)
	for b := range 10 {
		in, p, y := 0, 0.0, 0.0
		for _, s := range confidence {
			if min(9, int(s.p*10)) == b {
				in, p, y = in+1, p+s.p, y+oneIf(s.y)
			}
		}
		t.Logf("| %.1f–%.1f | %d | %.3f | %.3f |", float64(b)/10, float64(b+1)/10, in, p/float64(in), y/float64(in))
	}
	for _, set := range []string{"judge_ja", "judge_en"} {
		right, wrong, missed := 0, 0, 0
		for _, p := range ps {
			if p.Set != set || p.fittedOn() == *odd {
				continue
			}
			met := map[string]bool{}
			for _, g := range p.r.judge(weights()).Gaps {
				hit := ""
				for _, want := range p.Gaps {
					if want == g.Facet || slices.ContainsFunc(g.Terms, func(s string) bool { return p.names(s) }) {
						hit = want
					}
				}
				if hit == "" {
					wrong++
				} else {
					met[hit] = true
				}
				if !*odd {
					t.Logf("%s %t %s %v %.2f : %s", p.Kind, hit != "", g.Facet, g.Terms, g.Probability, p.Query.Raw)
				}
			}
			right, missed = right+len(met), missed+len(p.Gaps)-len(met)
		}
		t.Logf("%s gaps: right %d wrong %d missed %d: precision %.2f recall %.2f", set, right, wrong, missed, ratio(right, right+wrong), ratio(right, right+missed))
	}
}

func ratio(a, b int) float64 { return float64(a) / float64(max(1, b)) }

// loss is the mean log loss.
func loss(ps []scored) (sum float64) {
	for _, s := range ps {
		p := s.p
		if !s.y {
			p = 1 - p
		}
		sum -= math.Log(max(p, 1e-6))
	}
	return sum / float64(len(ps))
}

func BenchmarkPools(b *testing.B) {

	ps := pools(b, "ja_jaquad", "en_doc2dial", "en_anthropic_docs")
	var judge Judge
	for i := 0; b.Loop(); i++ {
		if _, err := judge.Judge(b.Context(), &ps[i%len(ps)].Input); err != nil {
			b.Fatal(err)
		}
	}
}
