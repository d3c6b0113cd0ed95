package answer

import (
	"cmp"
	"context"
	"math"
	"math/bits"
	"strings"
	"unicode"

	"github.com/sagasu-search/sagasu/framework/internal/judge/section"
	"github.com/sagasu-search/sagasu/framework/internal/passage"
	"github.com/sagasu-search/sagasu/sdk/text"
)

// Limits on what is read.
const (
	mostEvidences = 50      // whose scores are compared
	mostSections  = 10      // sections that are cut into units
	mostBytes     = 4 << 10 // of a section
	mostUnits     = 400     // of all sections
)

// leastContent is the minimum share of a query's weight that its tokens without hiragana must have.
const leastContent = 0.2

// set holds tokens of the query, by number.
type set uint64

// reading is a query and the units of the best sections.
type reading struct {
	in *Input
	// The first evidences, and the best score of them.
	evidences []section.Section
	best      float64
	query     string // normalised by text.Skeleton
	facets    []*facet
	weights   []float64 // of the tokens
	content   set       // tokens without hiragana that are not common words
	grammar   set       // the others
	number    map[string]int
	sections  []readSection
	units     []unit
	asked     []term // content terms of the query
	memory    *Memory
}

type readSection struct {
	heading string // folded
	path    string
	rank    int // by score, from 0
	title   set // tokens that the heading holds
	all     set // with its text
	from    int // index of its first unit among all
	to      int
	units   []unit
}

// unit is a sentence, a row, an item or a block of code.
type unit struct {
	section int
	line    int // in the file
	text    string
	norm    string
	own     set
	over    set // tokens of the lead or header over it
	near    set // tokens of the unit before it
	gives   set // the requested facets whose form it has, by number
	first   bool
	code    bool // a block of code
	mute    bool // a question, a table header or a rule, which cannot answer
}

func read(ctx context.Context, in *Input) (*reading, error) {
	r := &reading{in: in, query: text.Fold(in.Query.Raw), number: make(map[string]int)}
	r.memory = in.Memory.of(in)
	r.facets, r.query = asked(r.query), text.Skeleton(r.query)
	r.evidences = in.Evidences[:min(len(in.Evidences), mostEvidences)]
	for i := range r.evidences {
		r.best = max(r.best, r.evidences[i].Score)
	}
	for i, w := range passage.Words(in.Words).Heaviest() {
		r.number[w] = i
		r.weights = append(r.weights, in.Words[w])
		if !strings.ContainsFunc(w, func(c rune) bool { return text.IsHiragana(string(c)) }) {
			r.content |= 1 << i
		} else {
			r.grammar |= 1 << i
		}
	}
	norm := text.Text{Norm: in.Query.Text}
	for t := range text.Tokens(&norm) {
		if n, ok := r.number[t.Term]; ok && t.Class == text.Word && common()[norm.Norm[t.Start:t.End]] {
			r.content, r.grammar = r.content&^(1<<n), r.grammar|1<<n
		}
	}
	if r.weigh(r.content) < leastContent*r.weigh(r.content|r.grammar) {
		r.content |= r.grammar // a query in hiragana
	}
	for i := range r.evidences[:min(len(r.evidences), mostSections)] {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		r.section(&r.evidences[i])
	}
	r.asked = r.terms()
	return r, nil
}

// section adds the next evidence.
func (r *reading) section(e *section.Section) {
	s := r.memory.section(e, func() readSection { return r.cut(e, mostUnits) })
	if len(r.units)+len(s.units) > mostUnits {
		s = r.cut(e, mostUnits-len(r.units))
	}
	s.rank, s.from, s.to = r.rank(len(r.sections)), len(r.units), len(r.units)+len(s.units)
	r.units = append(r.units, s.units...)
	for i := s.from; i < s.to; i++ {
		r.units[i].section = len(r.sections)
	}
	r.sections = append(r.sections, s)
}

// cut cuts an evidence into at most the given number of units.
func (r *reading) cut(e *section.Section, most int) readSection {
	s := readSection{
		heading: text.Fold(e.Heading), path: text.Fold(pathMarks.Replace(e.ManualID + " " + e.Path)),
	}
	s.title = r.held(s.heading)
	s.all = s.title
	first := e.FirstLine()
	source := e.Text
	if len(source) > mostBytes {
		source = strings.ToValidUTF8(source[:mostBytes], "")
		if i := strings.LastIndexAny(source, "\n。. "); i > 0 {
			source = source[:i]
		}
	}
	units := passage.Units(source)
	s.units = make([]unit, 0, min(len(units), most))
	for i, u := range units[:cap(s.units)] {
		x := unit{line: first + u.Line, text: u.Sentence(), first: i == 0, code: u.Code()}
		x.norm = text.Fold(x.text)
		x.mute = asks(x.norm) || u.Aside() || !strings.ContainsFunc(x.norm, func(r rune) bool {
			return unicode.IsLetter(r) || unicode.IsNumber(r)
		})
		x.own = r.held(x.norm)
		x.gives = giving(r.facets, x.norm)
		if u.Over >= 0 {
			over := &s.units[u.Over]
			x.over = over.own
			over.mute = over.mute || u.Row()
		}
		if i > 0 {
			x.near = s.units[i-1].own
		}
		s.all |= x.own
		s.units = append(s.units, x)
	}
	return s
}

// pathMarks replaces the separators of the words of a path.
var pathMarks = strings.NewReplacer("/", " ", "-", " ", "_", " ", ".", " ")

// held returns the tokens of the query that a folded text has.
func (r *reading) held(norm string) (out set) {
	for t := range text.Tokens(&text.Text{Norm: norm}) {
		if n, ok := r.number[t.Term]; ok {
			out |= 1 << n
		}
	}
	return out
}

// share returns the weighted share of the tokens in of that are also in held, or 0 if of is empty.
func (r *reading) share(held, of set) float64 {
	return r.weigh(held&of) / cmp.Or(r.weigh(of), 1)
}

func (r *reading) weigh(s set) (sum float64) {
	for ; s != 0; s &= s - 1 {
		sum += r.weights[bits.TrailingZeros64(uint64(s))]
	}
	return sum
}

// rank returns the place of a section by its score, from 0.
func (r *reading) rank(n int) (before int) {
	for i := range r.evidences {
		if s := r.evidences[i].Score; s > r.evidences[n].Score || s == r.evidences[n].Score && i < n {
			before++
		}
	}
	return before
}

// scoreShare returns the score of a section as a share of the best score.
func (r *reading) scoreShare(n int) float64 {
	return r.evidences[n].Score / cmp.Or(r.best, 1)
}

func sigmoid(z float64) float64 { return 1 / (1 + math.Exp(-z)) }

func oneIf(b bool) float64 {
	if b {
		return 1
	}
	return 0
}
