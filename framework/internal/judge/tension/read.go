package tension

import (
	"cmp"
	"context"
	"math"
	"math/bits"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/sagasu-search/sagasu/framework/internal/judge/section"
	"github.com/sagasu-search/sagasu/framework/internal/passage"
	"github.com/sagasu-search/sagasu/framework/internal/quantity"
	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/text"
)

// Limits on what is compared, and initial capacities.
const (
	mostWords  = 64 // of a query
	mostRead   = 32 // sentences: those that hold most of the query
	usual      = 256
	usualWords = 24 // of a sentence
)

// reading is a query with the sentences that may bear on it.
type reading struct {
	whether   bool      // the query is a yes-or-no question
	year      string    // that the query names, "" for none
	weights   []float64 // of the query's words
	total     float64
	sentences []read
}

// vocabulary is the words of a query.
type vocabulary struct {
	words []word
	place [256]uint8 // by the low bits of an id: 1 + where the search for it in words begins
}

func (v *vocabulary) add(w word) {
	if v.index(w.id) >= 0 || len(v.words) == mostWords {
		return
	}
	v.words = append(v.words, w)
	if p := &v.place[w.id%256]; *p == 0 {
		*p = uint8(len(v.words))
	}
}

// index returns the index of a word, or -1.
func (v *vocabulary) index(id uint32) int {
	if p := int(v.place[id%256]); p > 0 {
		for i := p - 1; i < len(v.words); i++ {
			if v.words[i].id == id {
				return i
			}
		}
	}
	return -1
}

// in returns the words of the vocabulary that a text has, as a bit set.
func (v *vocabulary) in(s string) (m uint64) {
	scan(s, false, func(w word) {
		if i := v.index(w.id); i >= 0 {
			m |= 1 << i
		}
	})
	return m
}

// read is a sentence with the data that the features need.
type read struct {
	*sentence
	cover   float64  // of the query, by itself
	section float64  // of the query, by the whole section
	answers float64  // log of how likely it is the answer, relative to the likeliest unit, in [leastAnswers, 0]
	titles  []string // of its heading path
	file    string   // with its manual
	words   []weighed
	norm    float64 // the weight of words
	length  float64 // log of the number of words
	cues    cues
	amounts []quantity.Amount
}

type weighed struct {
	id     uint32
	weight float64
}

// leastAnswers is the least that a sentence can have, and what one that was not judged has.
const leastAnswers = -6

// understand reads the evidences for the words of the query, and then closely reads the sentences that cover most of
// it.
func understand(ctx context.Context, q sdk.Query, evidences []section.Section, answers [][]float64) (*reading, error) {
	r := &reading{whether: asksWhether(q.Raw), year: year().FindString(text.Fold(q.Raw))}
	var asked vocabulary
	words(q.Text, asked.add)
	if len(asked.words) == 0 {
		words(q.Raw, asked.add)
	}
	all := make([]sentence, 0, usual)
	left := mostInAll
	heads := make([]uint64, len(evidences))
	for n := range evidences {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		heads[n] = asked.in(evidences[n].Heading)
		if left > 0 {
			text := start(evidences[n].Text, min(left, mostBytes))
			left -= len(text)
			all = split(all, n, text, evidences[n].FirstLine())
		}
	}
	own := make([]uint64, len(all))
	whole := slices.Clone(heads)
	for i := range all {
		own[i] = asked.in(all[i].source)
		whole[all[i].evidence] |= own[i]
	}
	r.weigh(asked.words, own)
	near := make([]uint64, len(all))
	holds := make([]float64, len(all)) // share of the query in a sentence, by itself and with its lead and heading
	var chosen []int
	for i := range all {
		s := &all[i]
		near[i] = own[i] | heads[s.evidence]
		if s.lead >= 0 {
			near[i] |= own[s.lead]
		}
		if near[i] != 0 && len(s.source) <= longest && !asks(s.source) {
			holds[i] = r.coverage(own[i]) + r.coverage(near[i])
			chosen = append(chosen, i)
		}
	}
	slices.SortFunc(chosen, func(i, j int) int { return cmp.Or(cmp.Compare(holds[j], holds[i]), cmp.Compare(i, j)) })
	likeliest := -math.MaxFloat64
	for _, units := range answers {
		for _, z := range units {
			likeliest = max(likeliest, z)
		}
	}
	for _, i := range chosen[:min(len(chosen), mostRead)] {
		s := read{
			sentence: &all[i], cover: r.coverage(own[i]), section: r.coverage(whole[all[i].evidence]),
			answers: leastAnswers,
		}
		if s.evidence < len(answers) && s.unit < len(answers[s.evidence]) {
			s.answers = max(leastAnswers, answers[s.evidence][s.unit]-likeliest)
		}
		r.sentences = append(r.sentences, s)
	}
	r.readClosely(evidences)
	return r, nil
}

// weigh weights the words of the query by their idf, given which of them each sentence holds.
func (r *reading) weigh(asked []word, held []uint64) {
	df := make([]int, len(asked))
	for _, words := range held {
		for ; words != 0; words &= words - 1 {
			df[bits.TrailingZeros64(words)]++
		}
	}
	r.weights = make([]float64, len(asked))
	plain := 0.0
	for i, w := range asked {
		r.weights[i] = float64(w.weight) * idf(df[i], len(held))
		r.total += r.weights[i]
		plain += float64(w.weight)
	}
	r.total /= min(1, plain/fullQuery)
}

// readClosely reads the chosen sentences.
func (r *reading) readClosely(evidences []section.Section) {
	var folder text.Folder
	df := make(map[uint32]int, mostRead*usualWords)
	room := make([]weighed, 0, mostRead*usualWords)
	for i := range r.sentences {
		s := &r.sentences[i]
		norm := folder.Fold(s.source)
		s.words = room[len(room):]
		words(norm, func(w word) { s.words = append(s.words, weighed{w.id, float64(w.weight)}) })
		room = room[:min(len(room)+len(s.words), cap(room))]
		slices.SortFunc(s.words, func(a, b weighed) int { return cmp.Compare(a.id, b.id) })
		s.words = slices.CompactFunc(s.words, func(a, b weighed) bool { return a.id == b.id })
		for _, w := range s.words {
			df[w.id]++
		}
		s.cues, s.amounts = cuesOf(norm), amounts(norm)
		s.length = math.Log1p(float64(len(s.words)))
		e := &evidences[s.evidence]
		s.titles, s.file = strings.Split(e.Heading, " > "), e.ManualID+"/"+e.Path
	}
	for i := range r.sentences {
		s := &r.sentences[i]
		for j := range s.words {
			w := &s.words[j]
			w.weight *= idf(df[w.id], len(r.sentences))
			s.norm += w.weight
		}
	}
}

// fullQuery is the minimum weight of a query that is specific. A shorter query leaves open what it asks about
// its subject, so a sentence that covers all of it may still miss what is meant.
const fullQuery = 2.5

func (r *reading) coverage(m uint64) float64 {
	sum := 0.0
	for ; m != 0; m &= m - 1 {
		sum += r.weights[bits.TrailingZeros64(m)]
	}
	return sum / cmp.Or(r.total, 1)
}

// likeness returns the weighted share of the words of two sentences that both have, in [0, 1].
func likeness(a, b *read) float64 {
	sum := 0.0
	for i, j := 0, 0; i < len(a.words) && j < len(b.words); {
		switch x, y := &a.words[i], &b.words[j]; {
		case x.id < y.id:
			i++
		case x.id > y.id:
			j++
		default:
			sum += x.weight
			i, j = i+1, j+1
		}
	}
	return sum / cmp.Or(math.Sqrt(a.norm*b.norm), 1)
}

// Limits on what is read.
const (
	mostBytes     = 4 << 10  // of one section's text
	mostInAll     = 16 << 10 // of all texts: those of the best sections are read first
	mostSentences = 160      // of one section
	longest       = 480      // maximum bytes of a compared sentence: a longer one says too many things
)

// sentence is one sentence, list item or table row of an evidence.
type sentence struct {
	evidence int
	unit     int // index of passage.Units
	line     int
	source   string
	lead     int // index of the sentence before it, for the first of an item the one above its list; -1 for none
}

// split appends the sentences of the text of evidence n, which starts on a line. It leaves out code, headings,
// images and items that only refer to other places.
func split(out []sentence, n int, text string, line int) []sentence {
	first, lead, itemLine := len(out), -1, -1
	for i, u := range passage.Units(text) {
		s := u.Sentence()
		if len(out)-first == mostSentences {
			break
		}
		if u.Code() || u.Aside() || s == "" || s[0] == '#' {
			continue
		}
		s, item := unmarked(s)
		if s == "" || item && strings.Contains(s, "](") {
			continue
		}
		above := lead
		if u.Line == itemLine { // the sentences of an item after its first
			above, item = len(out)-1, true
		}
		out = append(out, sentence{evidence: n, unit: i, line: line + u.Line, source: s, lead: above})
		if item {
			itemLine = u.Line
		} else {
			lead = len(out) - 1
		}
	}
	return out
}

// start returns the start of a text up to a limit, in whole lines, or in whole characters if the
// first line is longer.
func start(s string, end int) string {
	if len(s) <= end {
		return s
	}
	if i := strings.LastIndexByte(s[:end], '\n'); i >= 0 {
		return s[:i]
	}
	for end > 0 && !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end]
}

// unmarked removes the mark of a list item from a line and reports whether the line is an item or a table row.
func unmarked(l string) (body string, item bool) {
	if l[0] == '|' {
		return l, true
	}
	body = strings.TrimLeft(l, "-*+・●○■※ 　")
	item = len(body) < len(l) && !strings.HasPrefix(l, "**")
	if digits := strings.TrimLeft(body, "0123456789"); digits != body {
		for _, stop := range [...]string{". ", ") ", "．", "）", "　"} {
			if after, ok := strings.CutPrefix(digits, stop); ok {
				return strings.TrimSpace(after), true
			}
		}
	}
	return body, item
}

// asksWhether reports whether a query asks for yes or no. The first interrogative word decides, since others join
// clauses: may I leave when it rains?
func asksWhether(query string) bool {
	between := func(r rune) bool { return !unicode.IsLetter(r) && r != '\'' }
	for w := range strings.FieldsFuncSeq(text.Fold(query), between) {
		if c := cuesOf(w); c&(ask|open) != 0 {
			return c&open == 0
		}
	}
	return asks(query)
}

// asks reports whether a text is a question, which states nothing.
func asks(s string) bool {
	s = strings.TrimRight(s, " *_")
	return strings.HasSuffix(s, "?") || strings.HasSuffix(s, "？") || strings.HasSuffix(strings.TrimSuffix(s, "。"), "か")
}
