package snapshot

import (
	"math"
	"strings"

	"github.com/sagasu-search/sagasu/sdk/text"
)

// batch is a run of sections that one worker normalises and tokenises. Its terms are numbered by first occurrence.
type batch struct {
	first  uint32 // id of its first section
	fields int    // number of fields
	headed bool   // the fields are those of manuals
	stored []bool // by field: stored, but not searched
	rows   []sectionRow
	titles stringRun
	texts  stringRun // as written, section by section
	size   int       // bytes of the above

	norms   stringRun // by text
	lengths []uint16  // by text
	terms   *interner
	starts  []uint32 // the postings of term t are [starts[t], starts[t+1])
	docs    []uint32
	freqs   []uint8 // one row of fields per posting
}

// stringRun is a list of strings in one buffer. A corpus of short sections has many strings, and each separate one
// would take about 24 bytes more.
type stringRun struct {
	bytes []byte
	ends  []uint32
}

func (r *stringRun) add(s string) {
	r.bytes = append(r.bytes, s...)
	r.ends = append(r.ends, uint32(len(r.bytes)))
}

// at returns string i without copying it.
func (r *stringRun) at(i int) string {
	start := uint32(0)
	if i > 0 {
		start = r.ends[i-1]
	}
	return viewString(r.bytes[start:r.ends[i]])
}

// worker holds the state that a tokenising goroutine keeps between batches: the stem cache and the
// postings in the order of the text.
type worker struct {
	tokenizer text.Tokenizer
	terms     []uint32
	docs      []uint32
	freqs     []uint8
	latest    []uint32 // by term: one more than its latest posting
	inRow     []uint32 // by term: one more than the number of the latest text with it in a row of a table
}

// run fills the batch.
func (w *worker) run(b *batch) {
	w.terms, w.docs, w.freqs, w.latest = w.terms[:0], w.docs[:0], w.freqs[:0], w.latest[:0]
	w.inRow = w.inRow[:0]
	b.norms.ends = make([]uint32, 0, len(b.texts.ends))
	b.lengths = make([]uint16, len(b.texts.ends))
	for i := range b.lengths {
		if b.stored[i%b.fields] {
			b.norms.add("")
			continue
		}
		t := text.Normalize(b.texts.at(i))
		b.norms.add(t.Norm)
		b.lengths[i] = w.index(b, b.first+uint32(i/b.fields), i%b.fields, b.texts.at(i), b.repeated(i), &t)
	}
	w.sort(b)
}

// repeated returns the length of the start of text i that repeats, letter by letter, the title at the end of the
// preceding heading.
func (b *batch) repeated(i int) int {
	title := b.titles.at(i / b.fields)
	if !b.headed || i%b.fields != FieldBody || title == "" || !strings.HasSuffix(b.texts.at(i-1), title) {
		return 0
	}
	src := b.texts.at(i)
	rest := strings.TrimLeft(src, " \t\r\n*_")
	if !strings.HasPrefix(rest, title) {
		return 0
	}
	return len(src) - len(rest) + len(title)
}

// index counts the tokens of one text, written as src, and returns its length. Tokens within the first skip bytes do
// not count: they are the title, whose words count as words of the heading. A term counts once for all table rows
// together, since rows repeat the words of their columns.
func (w *worker) index(b *batch, doc uint32, field int, src string, skip int, t *text.Text) uint16 {
	var length counter
	number := (doc-b.first)*uint32(b.fields) + uint32(field) + 1
	tables := strings.Contains(src, "|")
	end, row := -1, false // end of the line; row: it is a row of a table
	for tok := range w.tokenizer.Tokens(t) {
		if skip > 0 {
			if _, end := t.Source(tok.Start, tok.End); end <= skip {
				continue
			}
		}
		length.add(tok)
		if tables {
			if at, _ := t.Source(tok.Start, tok.End); at > end {
				end, row = lineAt(src, at)
			}
		}
		id := b.terms.id(dictionaryKey(tok.Term))
		if int(id) == len(w.latest) {
			w.latest, w.inRow = append(w.latest, 0), append(w.inRow, 0)
		}
		at := w.latest[id]
		if at == 0 || w.docs[at-1] != doc {
			w.terms, w.docs = append(w.terms, id), append(w.docs, doc)
			for range b.fields {
				w.freqs = append(w.freqs, 0)
			}
			at = uint32(len(w.docs))
			w.latest[id] = at
		}
		again := row && w.inRow[id] == number
		if row {
			w.inRow[id] = number
		}
		if freq := &w.freqs[int(at-1)*b.fields+field]; !again && *freq < math.MaxUint8 {
			*freq++
		}
	}
	return length.sum()
}

// lineAt returns the end of the line that contains the byte at, and whether the line is a table row.
func lineAt(s string, at int) (end int, row bool) {
	start := strings.LastIndexByte(s[:at], '\n') + 1
	if end = strings.IndexByte(s[at:], '\n'); end < 0 {
		end = len(s) - at
	}
	end += at
	line := strings.TrimSpace(s[start:end])
	return end, strings.HasPrefix(line, "|") && strings.HasSuffix(line, "|")
}

// sort groups the postings by term; within a term sections keep ascending.
func (w *worker) sort(b *batch) {
	b.starts = make([]uint32, b.terms.len()+1)
	for _, id := range w.terms {
		b.starts[id+1]++
	}
	for id := range b.terms.len() {
		b.starts[id+1] += b.starts[id]
		w.latest[id] = b.starts[id] // now the index of its next posting
	}
	b.docs = make([]uint32, len(w.docs))
	b.freqs = make([]uint8, len(w.freqs))
	for i, id := range w.terms {
		to := w.latest[id]
		w.latest[id]++
		b.docs[to] = w.docs[i]
		copy(b.freqs[int(to)*b.fields:], w.freqs[i*b.fields:(i+1)*b.fields])
	}
}

// counter counts the length of a text: its words and bigrams, and the unigrams that no bigram
// covers, so that a run of n characters counts n-1, or 1 alone. Exact and joined forms repeat
// tokens already counted and add nothing.
type counter struct {
	n       int
	covered int // end of the last bigram
	lone    int // one more than the start of a unigram that may be in no bigram, or 0
}

func (c *counter) add(tok text.Token) {
	if c.lone > 0 && tok.Start >= c.lone {
		c.n, c.lone = c.n+1, 0
	}
	switch tok.Class {
	case text.Word:
		c.n++
	case text.Bigram:
		c.n++
		c.covered = max(c.covered, tok.End)
		c.lone = 0
	case text.Unigram:
		if tok.End > c.covered {
			c.lone = tok.Start + 1
		}
	}
}

// sum returns the length; no token may follow.
func (c *counter) sum() uint16 {
	if c.lone > 0 {
		c.n, c.lone = c.n+1, 0
	}
	return uint16(min(c.n, math.MaxUint16))
}
