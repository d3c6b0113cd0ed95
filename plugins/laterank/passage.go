package laterank

import (
	"math/bits"
	"strings"
	"unicode/utf8"

	"github.com/sagasu-search/sagasu/sdk/lexical"
)

// grid contains the similarity of a text to each query word, by block. Two adjacent blocks are a passage.
type grid struct {
	words int
	size  int       // in bytes
	best  []float64 // best similarity by block and word
	held  []uint64  // pairs found, by block and word
}

func (g *grid) reset(words, length, size int) {
	n := words * (length/size + 1)
	g.words, g.size = words, size
	g.best = append(g.best[:0], make([]float64, n)...)
	g.held = append(g.held[:0], make([]uint64, n)...)
}

func (g *grid) blocks() int { return len(g.best) / g.words }

// cell returns the index of a word in the block at an offset of the text.
func (g *grid) cell(at, word int) int { return at/g.size*g.words + word }

// passage returns a word's best similarity in the blocks b and b+1, and the number of its pairs there.
func (g *grid) passage(b, word int) (best float64, held int) {
	i := b*g.words + word
	next := min(i+g.words, len(g.best)-g.words+word)
	return max(g.best[i], g.best[next]), bits.OnesCount64(g.held[i] | g.held[next])
}

// score returns the late interaction of the query with a section, in [0, 1]: the weighted mean over the query words of
// their best similarity in the heading or a passage, for the best passage of the body. In a query of Latin words the
// heading also counts by itself, with the weight h of [Config.Heading]: (passage + h·heading) / (1 + h). The sum of
// maxima is MaxSim of Khattab and Zaharia (SIGIR 2020), with words in place of vectors.
func (m *matcher) score(heading, body string) float64 {
	if m.total == 0 {
		return 0
	}
	body = m.excerpt(body)
	m.read(&m.head, heading, len(heading)+1)
	m.read(&m.body, body, m.config.Window/2)
	var best, lead float64
	for i := range m.query {
		lead += m.query[i].weight * m.found(&m.head, 0, i)
	}
	for b := range m.body.blocks() {
		var sum float64
		for i := range m.query {
			sum += m.query[i].weight * max(m.found(&m.head, 0, i), m.found(&m.body, b, i))
		}
		best = max(best, sum)
	}
	return min((best+m.heading*lead)/(m.total*(1+m.heading)), 1)
}

// found returns the similarity of a query word to a passage.
func (m *matcher) found(g *grid, block, word int) float64 {
	best, held := g.passage(block, word)
	if held > 0 {
		best = max(best, m.config.Pairs*float64(held)/float64(len(m.query[word].cjk)))
	}
	return best
}

// longest is the maximum number of bytes of a body that are read.
const longest = 16 << 10

// excerpt returns the body or, if it is long, the part around the first occurrence of the heaviest query word in it.
func (m *matcher) excerpt(body string) string {
	if len(body) <= longest {
		return body
	}
	from := 0
	for _, w := range m.query { // heaviest first
		if at := strings.Index(body, w.text); at >= 0 {
			from = runeStart(body, max(0, at-m.config.Window))
			break
		}
	}
	return body[from:runeStart(body, min(len(body), from+longest))]
}

func runeStart(s string, i int) int {
	for i > 0 && i < len(s) && !utf8.RuneStart(s[i]) {
		i--
	}
	return i
}

// read fills a grid from a text.
func (m *matcher) read(g *grid, s string, size int) {
	g.reset(len(m.query), len(s), size)
	for i := range m.query {
		w := &m.query[i]
		if w.stem != "" {
			continue
		}
		each(s, &w.whole, func(at int) { g.best[g.cell(at, i)] = 1 })
		for bit := range w.cjk {
			each(s, &w.cjk[bit], func(at int) { g.held[g.cell(at, i)] |= 1 << bit })
		}
	}
	words(s, func(at int, w string) {
		row := m.row(w)
		first := g.cell(at, 0)
		for i, x := range row {
			g.best[first+i] = max(g.best[first+i], x)
		}
	})
}

// each calls visit with the positions of a part in s.
func each(s string, part *lexical.Finder, visit func(at int)) {
	for at := 0; ; at += len(part.String()) {
		i := part.Index(s[at:])
		if i < 0 {
			return
		}
		at += i
		visit(at)
	}
}
