package rule

import (
	"context"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/sagasu-search/sagasu/sdk/x/lazyregexp"
)

// What a line of code must share with a statement to be its fulfilment, found where nothing was changed: of such lines
// nine in ten hold the very value of the statement (docs/measurements/2026-11-27-wild.md).
const (
	leastLine     = .3 // the share of the words of the line that the statement says
	leastSaid     = .1 // the share of the statement that the line, its unit and its file say
	leastEvidence = 8  // of the words that they share, by how rare they are
	leastRival    = .2 // of that, from which on a line with the wanted value may be the fulfilment as well
)

// tied is how little two scores differ that are the same.
const tied = 1e-9

// Linked compares what statements want with the line of all code that fulfils each as far as its words tell: the words
// of the name that has the value, and most of what else it says. It is of no use when ctx ends before it returns.
func Linked(ctx context.Context, has, wants []Rule) (all Compared) {
	l, stated := newLinks(has), map[string][]*Rule{}
	for i := range wants {
		stated[wants[i].statement()] = append(stated[wants[i].statement()], &wants[i])
	}
	for i := range wants {
		if ctx.Err() != nil {
			return all
		}
		w := &wants[i]
		if w.Kind != Number || w.Amount.Value == 0 || !w.inDigits() {
			continue
		}
		said, mates := Ideas(w.Text+" "+w.Name), stated[w.statement()]
		ofMate := func(h *Rule) bool {
			return slices.ContainsFunc(mates, func(o *Rule) bool { return !o.same(w) && h.same(o) })
		}
		best, at := 0., -1
		for idea := range said {
			for _, k := range l.named[idea] {
				if h := l.has[k]; comparable(h, w) && w.speaksOf(h) == 1 && !ofMate(h) {
					score := l.score(k, said, true) // sums differ a little by their order
					if score > best+tied || at >= 0 && score > best-tied && k < at {
						best, at = score, k
					}
				}
			}
		}
		if at < 0 {
			continue
		}
		all.Pairs++
		if h := l.has[at]; h.differs(w) && !l.rivalled(at, best, w, said) {
			all.add(conflict(h, w))
		}
	}
	return all
}

// digits are those of the numbers of a statement.
var digits = lazyregexp.New(`(?:^|[^\w.-])\d[\d,_]*(?:\.\d+)?`)

// inDigits reports whether a statement writes its number in digits; one that is spelled out mostly counts what the
// statement lists.
func (r *Rule) inDigits() bool {
	return slices.ContainsFunc(digits().FindAllString(r.Text, -1), func(written string) bool {
		value, err := strconv.ParseFloat(strings.Map(func(c rune) rune {
			if c == '.' || '0' <= c && c <= '9' {
				return c
			}
			return -1
		}, written), 64)
		raw := r.Amount.Raw
		return err == nil && (near(value, raw) || near(value, r.Amount.Value) || near(1000*value, raw))
	})
}

// statement names what says that a value is wanted.
func (r *Rule) statement() string { return r.Path + " " + r.Text }

// comparable reports whether two values may be of the same thing, equal or not.
func comparable(h, w *Rule) bool { return h.differs(w) || h.same(w) }

// links are the numbers of code with the words of their lines.
type links struct {
	has   []*Rule
	lines []Words          // what the line says
	whole []Words          // what its unit and its file say as well
	named map[string][]int // by the rarest word of the name that has the value
	df    map[string]int
}

func newLinks(has []Rule) *links {
	l := &links{named: map[string][]int{}, df: map[string]int{}}
	known := map[string]Words{}
	read := func(src string) Words {
		if known[src] == nil {
			known[src] = Ideas(src)
		}
		return known[src]
	}
	for i := range has {
		h := &has[i]
		if h.Kind != Number || h.Amount.Value == 0 {
			continue
		}
		whole := Words{}
		for _, part := range []Words{read(h.Text), read(h.Name), read(path.Base(h.Path))} {
			for idea := range part {
				whole[idea] = true
			}
		}
		for idea := range whole {
			l.df[idea]++
		}
		l.has, l.lines, l.whole = append(l.has, h), append(l.lines, read(h.Text)), append(l.whole, whole)
	}
	for k, h := range l.has {
		rarest := ""
		for idea := range h.subject {
			if rarest == "" || l.df[idea] < l.df[rarest] || l.df[idea] == l.df[rarest] && idea < rarest {
				rarest = idea
			}
		}
		if rarest != "" {
			l.named[rarest] = append(l.named[rarest], k)
		}
	}
	return l
}

// weight is how rare a word is among the lines.
func (l *links) weight(idea string) float64 {
	return math.Log(1 + float64(len(l.has))/(float64(l.df[idea])+.5))
}

// sums returns the weight of all words and of those that are said.
func (l *links) sums(words, said Words) (all, shared float64) {
	for idea := range words {
		weight := l.weight(idea)
		if all += weight; said[idea] {
			shared += weight
		}
	}
	return all, shared
}

// score returns how much a line and a statement share, 0 for too little where it must be enough.
func (l *links) score(k int, said Words, enough bool) float64 {
	line, told := l.sums(l.lines[k], said)
	_, shared := l.sums(l.whole[k], said)
	share := told / max(line, math.SmallestNonzeroFloat64)
	score := shared * (leastLine + share)
	total, _ := l.sums(said, said)
	if enough && (share < leastLine || shared < leastSaid*total || score < leastEvidence) {
		return 0
	}
	return score
}

// rivalled reports whether another line may fulfil a statement instead: one that shares more with it, or one with the
// wanted value that shares a part of it.
func (l *links) rivalled(at int, best float64, w *Rule, said Words) bool {
	for k, h := range l.has {
		least := best
		if h.same(w) {
			least *= leastRival
		}
		if k != at && comparable(h, w) && !h.same(l.has[at]) && l.score(k, said, false) > least+tied {
			return true
		}
	}
	return false
}
