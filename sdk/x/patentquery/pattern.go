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
// A word of a script with spaces is found by its stem, as an index of words does it. What
// is quoted, what goes on, what has several words, and Japanese is found as a piece of
// normalised text: its Latin ends are ends of words, a hyphen stands for a space and the
// reverse, and spaces between Japanese characters, such as the ends of lines, do not
// count.
type Pattern struct {
	needle string // normalised
	size   int    // no occurrence has more characters, or words, before its last piece
	heads  []string
	stem   string   // the index term that says it all, or ""
	starts []string // what a word with the stem may start as: the stems of its family
	leads  []lead   // how these start
	open   bool     // its last word may go on
	z      text.Tokenizer
	pieces map[string][]span // see inPiece
	odd    bool              // the stem holds more than plain letters
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

// Stem returns the index term whose postings are exactly the texts that hold the pattern; ""
// where text must be looked at.
func (p *Pattern) Stem() string { return p.stem }

// In reports whether a text holds the pattern.
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

// All yields where the pattern stands in the normalised text, in order of the starts, as
// bytes [start, end).
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

// soleWord returns the stem of the needle when it is one word and nothing else.
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

// heads returns the ways in which an occurrence of the needle can begin, as far as it is to
// the letter.
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

// blank reports a character that separates words; all of them are equal.
func blank(r rune) bool { return r == ' ' || r == '-' }

// startsWord reports whether no word goes on from before a byte to after it.
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

// inWord reports a character of words in scripts with spaces.
func inWord(r rune) bool {
	if r < utf8.RuneSelf {
		return plainByte(byte(r)) || r >= 'A' && r <= 'Z'
	}
	return (unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r)) && !text.IsCJK(r)
}

// joinCJK takes the spaces between Japanese characters out of a needle.
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
