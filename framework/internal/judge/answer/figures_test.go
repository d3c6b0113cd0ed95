//go:build fit

package answer

import (
	"flag"
	"fmt"
	"math"
	"slices"
	"sort"
	"testing"
)

var odd = flag.Bool("odd", false, "TestFigures: the half that was not fitted on")

// scored is a prediction with the truth.
type scored struct {
	p float64
	y bool
}

// curve logs how many of the most certain predictions are right.
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

// loss returns the mean log loss.
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

func ratio(a, b int) float64 { return float64(a) / float64(max(1, b)) }

// TestFigures measures judgements with the bundled weights.
func TestFigures(t *testing.T) {
	ps := pools(t, sets...)
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
		t.Logf("%-18s n %d answered %.2f right %.2f ready %.2f right %.2f gaps %.3f; foreign %d ready %d; none %d ready %d, "+
			"confidence above .3: %d", set, n, ratio(told, n), ratio(right, told), ratio(ready, n), ratio(fine, ready),
			ratio(gaps, found), foreign, foreignReady, none, noneReady, high)
		curve(t, "confidence "+set, tables[set])
		total.n, total.ready, total.fine, total.gaps = total.n+n, total.ready+ready, total.fine+fine, total.gaps+gaps
	}
	t.Logf("all: ready %.2f right %.2f, gaps %d of %d", ratio(total.ready, total.n), ratio(total.fine, total.ready),
		total.gaps, total.n)
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
}
