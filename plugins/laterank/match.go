package laterank

import (
	"unicode/utf8"

	"github.com/sagasu-search/sagasu/sdk/lexical"
	"github.com/sagasu-search/sagasu/sdk/text"
)

// matcher compares the words of one query with those of sections. It caches the result for each word of a section.
type matcher struct {
	config Config
	stems  *text.Tokenizer
	query  []word
	total  float64 // weight
	sieve  sieve   // of character pairs in the query and its stems
	// heading is the extra weight of the heading beside the passage, or 0.
	heading float64

	rows    map[string]int // start of a word's row in likes, or unlike
	likes   []float64      // rows with a similarity for each query word
	scratch []pair

	head, body grid
}

// usualWords is the approximate number of distinct words in a pool.
const usualWords = 1 << 12

// unlike marks a word that is similar to no query word.
const unlike = -1

func newMatcher() *matcher {
	return &matcher{stems: new(text.Tokenizer), rows: make(map[string]int, usualWords)}
}

// begin prepares the matcher for a new query. sample is text similar to that of the sections.
func (m *matcher) begin(config Config, content lexical.Terms, sample string) {
	m.config, m.heading = config, 0
	m.query, m.total = query(content, m.stems, sample)
	m.sieve = sieve{}
	for i := range m.query {
		m.sieve.add(&m.query[i])
	}
}

// rest forgets the query and the words, which point into the snapshot's memory.
func (m *matcher) rest() {
	clear(m.rows)
	m.likes = m.likes[:0]
}

// row returns a word's similarities to the query words, or nil if there are none.
func (m *matcher) row(w string) []float64 {
	if !m.sieve.passes(w) {
		return nil
	}
	at, known := m.rows[w]
	if !known {
		at = m.compare(w)
		m.rows[w] = at
	}
	if at == unlike {
		return nil
	}
	return m.likes[at : at+len(m.query)]
}

// compare computes the row of a word.
func (m *matcher) compare(w string) int {
	latin := w[0] < utf8.RuneSelf
	if latin && text.EnglishStop(w) {
		return unlike
	}
	c := compared{text: w, letters: spell(m.scratch[:0], w)}
	m.scratch = c.letters.pairs
	if latin && m.needsStem(w) {
		c.stem = stem(m.stems, w)
	}
	at, alike := len(m.likes), false
	for i := range m.query {
		x := m.like(&m.query[i], &c)
		m.likes = append(m.likes, x)
		alike = alike || x > 0
	}
	if !alike {
		m.likes = m.likes[:at]
		return unlike
	}
	return at
}

// needsStem reports whether the stem of a Latin word matters. Stems keep the first two letters,
// except for a few words such as "dying".
func (m *matcher) needsStem(w string) bool {
	for i := range m.query {
		if q := &m.query[i]; len(q.stem) > 1 && len(w) > 1 && q.stem[:2] == w[:2] {
			return true
		}
	}
	return false
}

// compared is a word of a section.
type compared struct {
	text, stem string
	letters    letters
}

// like returns the similarity of two words, in [0, 1].
func (m *matcher) like(q *word, w *compared) float64 {
	if q.text == w.text {
		return 1
	}
	var best float64
	if q.stem != "" && q.stem == w.stem {
		best = m.config.Stem
	}
	return max(best, m.config.Dice*dice(&q.letters, &w.letters, m.config.DiceLeast))
}
