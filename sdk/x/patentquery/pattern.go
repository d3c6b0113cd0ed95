package patentquery

import (
	"iter"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/sagasu-search/sagasu/sdk/text"
)

// Pattern finds a term in text. It is not safe for concurrent use.
//
// A word of a script with spaces matches by its stem, as in an index of words. Quoted terms,
// prefixes, terms of several words, and Japanese match as substrings of the normalised text: Latin
// letters at their ends must be at word boundaries, hyphens and spaces match each other, and spaces
// between Japanese characters, such as line breaks, are ignored.
type Pattern struct {
	needle string // normalised
	size   int    // no occurrence has more characters, or words, before its last piece
	heads  []string
	stem   string   // the index term that is equivalent to the pattern, or ""
	starts []string // possible starts of a word with the stem: the stems of its family
	leads  []lead   // the first letters of these
	open   bool     // its last word is a prefix
	z      text.Tokenizer
	pieces map[string][]span // see inPiece
	itself []span            // the needle as a piece
	odd    bool              // the stem contains more than plain letters
	listed []span            // see begin
}

// NewPattern prepares to find a term.
func NewPattern(t Term) *Pattern {
	norm := text.Normalize(t.Text)
	p := &Pattern{needle: joinCJK(norm.Norm), open: t.Prefix && !endsCJK(norm.Norm)}
	p.heads, p.size = heads(p.needle), 2*utf8.RuneCountInString(p.needle) // with spaces between Japanese characters
	if !t.Quoted && !t.Prefix {
		if p.stem = p.soleWord(); p.stem != "" {
			p.size, p.starts = 0, text.Kin(p.stem)
			p.itself = []span{{0, len(p.needle)}}
		}
		for _, start := range p.starts {
			l := lead{first: start[0]}
			if sure(start) > 1 {
				l.second = start[1]
			}
			if !slices.Contains(p.leads, l) {
				p.leads = append(p.leads, l)
			}
		}
		p.odd = strings.ContainsFunc(p.stem, func(r rune) bool { return r >= utf8.RuneSelf || !plainByte(byte(r)) })
	}
	return p
}

// Stem returns the index term whose postings are exactly the texts that match the pattern, or "" if
// the text must be searched.
func (p *Pattern) Stem() string { return p.stem }

// In reports whether a text contains the pattern.
func (p *Pattern) In(t *text.Text) bool {
	if p.stem == "" {
		start, _ := p.find(t.Norm, 0)
		return start >= 0
	}
	for range p.All(t) {
		return true
	}
	return false
}

// All yields the occurrences of the pattern in the normalised text as byte ranges [start, end), in
// order of their starts.
func (p *Pattern) All(t *text.Text) iter.Seq2[int, int] {
	if p.stem != "" {
		return func(yield func(int, int) bool) { p.words(t, yield) }
	}
	return func(yield func(int, int) bool) {
		for at := 0; at <= len(t.Norm); {
			start, stop := p.find(t.Norm, at)
			if start < 0 || !yield(start, stop) {
				return
			}
			at = start + 1
		}
	}
}

// soleWord returns the stem of the needle if it is a single word and nothing else.
func (p *Pattern) soleWord() string {
	stem := ""
	for tok := range p.z.Tokens(&text.Text{Norm: p.needle}) {
		switch {
		case tok.Class == text.Exact:
		case tok.Class != text.Word || tok.Start != 0 || tok.End != len(p.needle):
			return ""
		default:
			stem = tok.Term
		}
	}
	return stem
}

// find returns the first occurrence in norm at or after a byte.
func (p *Pattern) find(norm string, from int) (int, int) {
	for at := from; at < len(norm); {
		next := p.headIn(norm[at:])
		if next < 0 {
			break
		}
		at += next
		if stop := p.matches(norm, at); stop > 0 {
			return at, stop
		}
		_, size := utf8.DecodeRuneInString(norm[at:])
		at += size
	}
	return -1, -1
}

// headIn finds the first place where the needle may begin.
func (p *Pattern) headIn(s string) int {
	first := -1
	for _, head := range p.heads {
		if i := strings.Index(s, head); i >= 0 {
			first, s = i, s[:i+len(head)-1]
		}
	}
	return first
}

// heads returns the literal prefixes with which an occurrence of the needle can begin.
func heads(needle string) []string {
	var before rune
	for i, r := range needle {
		switch {
		case blank(r) && i == 0:
			return []string{"-", " "}
		case blank(r):
			return []string{needle[:i]}
		case text.IsCJK(before) && text.IsCJK(r):
			head, size := needle[:i], utf8.RuneLen(r)
			return []string{needle[:i+size], head + " " + needle[i:i+size]}
		}
		before = r
	}
	return []string{needle}
}

// matches returns the end of the occurrence that starts at a byte of norm, or 0.
func (p *Pattern) matches(norm string, at int) int {
	stop := at
	var before rune
	for _, want := range p.needle {
		r, n := utf8.DecodeRuneInString(norm[stop:])
		if r == ' ' && text.IsCJK(before) && text.IsCJK(want) {
			stop += n
			r, n = utf8.DecodeRuneInString(norm[stop:])
		}
		if n == 0 || r != want && !(blank(r) && blank(want)) {
			return 0
		}
		stop, before = stop+n, want
	}
	for p.open && !endsWord(norm, stop) {
		_, n := utf8.DecodeRuneInString(norm[stop:])
		stop += n
	}
	if !startsWord(norm, at) || !endsWord(norm, stop) {
		return 0
	}
	return stop
}

// blank reports whether r is a character that separates words. All of them are equivalent.
func blank(r rune) bool { return r == ' ' || r == '-' }

// startsWord reports whether a byte offset is not inside a word.
func startsWord(norm string, at int) bool {
	before, n := utf8.DecodeLastRuneInString(norm[:at])
	first, _ := utf8.DecodeRuneInString(norm[at:])
	if before == '.' && unicode.IsDigit(first) {
		before, _ = utf8.DecodeLastRuneInString(norm[:at-n])
		return !unicode.IsDigit(before)
	}
	return !inWord(before) || !inWord(first)
}

func endsWord(norm string, at int) bool {
	last, _ := utf8.DecodeLastRuneInString(norm[:at])
	after, n := utf8.DecodeRuneInString(norm[at:])
	if after == '.' && unicode.IsDigit(last) {
		after, _ = utf8.DecodeRuneInString(norm[at+n:])
		return !unicode.IsDigit(after)
	}
	return !inWord(last) || !inWord(after)
}

// asciiWord has a bit for each ASCII letter and digit.
var asciiWord = [2]uint64{0x03ff << '0', 0x07fffffe_07fffffe}

func inASCIIWord(b byte) bool { return asciiWord[b>>6&1]>>(b&63)&1 == 1 }

// inWord reports whether r belongs to a word of a script with spaces.
func inWord(r rune) bool {
	if r < utf8.RuneSelf {
		return inASCIIWord(byte(r))
	}
	return (unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r)) && !text.IsCJK(r)
}

// joinCJK removes the spaces between Japanese characters from a needle.
func joinCJK(norm string) string {
	var b strings.Builder
	var before rune
	for i, r := range norm {
		after, _ := utf8.DecodeRuneInString(norm[i+utf8.RuneLen(r):])
		if r != ' ' || !text.IsCJK(before) || !text.IsCJK(after) {
			b.WriteRune(r)
		}
		before = r
	}
	return b.String()
}

func endsCJK(norm string) bool {
	r, _ := utf8.DecodeLastRuneInString(norm)
	return text.IsCJK(r)
}
