package markdown

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/sagasu-search/sagasu/sdk/x/lazyregexp"
)

// Inline is the text of a paragraph, a cell or a heading. Its zero value is empty.
type Inline struct {
	pieces []piece
	size   int
	space  bool             // white space before the next word
	led    bool             // white space before the first word
	joined *strings.Builder // the text of the last piece if it is several spans of code, else nil
}

// piece is a part of a text. Its text is the reader's text for words and code, and the target for the end of a link.
type piece struct {
	kind kind
	text string
}

type kind uint8

const (
	words kind = iota
	code
	lineBreak
	linkStart
	linkEnd
)

// Text adds words. White space of any length becomes one space. A line break in the source between Chinese or Japanese
// characters is dropped, because it does not end a word.
func (in *Inline) Text(s string) {
	s = strings.Map(visible, s)
	var b strings.Builder
	last := in.last()
	for s != "" {
		word := strings.TrimLeftFunc(s, isSpace)
		if gap := s[:len(s)-len(word)]; gap != "" {
			in.space = in.space || word == "" || !strings.ContainsAny(gap, "\n\r") || !isWide(last) || !startsWide(word)
		}
		end := strings.IndexFunc(word, isSpace)
		if end < 0 {
			end = len(word)
		}
		if end > 0 {
			if b.Len() == 0 {
				in.flushSpace()
			} else if in.space {
				b.WriteByte(' ')
			}
			in.space = false
			b.WriteString(word[:end])
			last, _ = utf8.DecodeLastRuneInString(word[:end])
		}
		s = word[end:]
	}
	if b.Len() > 0 {
		in.add(piece{words, b.String()})
	}
}

// visible drops control characters, and characters that are invisible and would split words.
func visible(r rune) rune {
	switch {
	case isSpace(r):
		return r
	case r == '\u00ad' || r == '\u200b' || r == '\u2060' || r == '\ufeff' || unicode.IsControl(r):
		return -1
	case r == '\u2028' || r == '\u2029':
		return ' '
	}
	return r
}

// Space adds a space between the text before and after it.
func (in *Inline) Space() { in.space = true }

// Unspace removes the space after the last text.
func (in *Inline) Unspace() { in.space = false }

// Break ends the line. A second Break ends the paragraph.
func (in *Inline) Break() {
	in.space = false
	if n := len(in.pieces); n > 0 && !(n > 1 && in.pieces[n-1].kind == lineBreak && in.pieces[n-2].kind == lineBreak) {
		in.add(piece{lineBreak, "\n"})
	}
}

// Code adds a span of code.
func (in *Inline) Code(s string) {
	fields := strings.FieldsFunc(strings.Map(visible, s), isSpace)
	if len(fields) == 0 {
		return
	}
	in.flushSpace()
	if last := len(in.pieces) - 1; last >= 0 && in.pieces[last].kind == code { // adjacent spans would read as one
		if in.joined == nil {
			in.joined = &strings.Builder{}
			in.joined.WriteString(in.pieces[last].text)
		}
		in.joined.WriteString(strings.Join(fields, " "))
		in.pieces[last].text = in.joined.String()
		return
	}
	in.add(piece{code, strings.Join(fields, " ")})
}

// named matches texts about a picture that do not describe it: its file name or its number.
var named = lazyregexp.New(`(?i)\.(?:png|gif|jpe?g|svg|webp|bmp|emf|wmf)$|^(?:shape|image|picture|graphic|図) ?\d+$`)

// Picture adds the description of a picture, separated from the text around it.
func (in *Inline) Picture(shows string) {
	if shows = strings.TrimSpace(shows); shows == "" || named().MatchString(shows) {
		return
	}
	in.Space()
	in.Text(shows)
	in.Space()
}

// superscripts maps characters to superscripts.
var superscripts = strings.NewReplacer("0", "⁰", "1", "¹", "2", "²", "3", "³", "4", "⁴", "5", "⁵", "6", "⁶", "7", "⁷",
	"8", "⁸", "9", "⁹", "+", "⁺", "-", "⁻", "−", "⁻", "n", "ⁿ")

// Raised adds a superscript. As ordinary text, an exponent would run into the number before it.
func (in *Inline) Raised(s string) {
	if s = strings.TrimSpace(s); len(s) <= 3 && strings.Trim(s, "0123456789+-−n") == "" {
		s = superscripts.Replace(s)
	}
	in.Text(s)
}

// Link adds a link with a text and a target. It adds only the text if the target is not worth linking.
func (in *Inline) Link(text *Inline, target string) {
	target = strings.Map(visible, strings.TrimSpace(target))
	if !worthLinking(text.Plain(), target) {
		in.Append(text)
		return
	}
	in.space = in.space || text.led
	in.flushSpace()
	in.add(piece{linkStart, ""})
	in.space = false
	for _, p := range text.pieces {
		if p.kind <= code { // links cannot be nested
			in.add(p)
		}
	}
	in.add(piece{linkEnd, target})
	in.space = text.space
}

// worthLinking reports whether a target is useful to a reader: it differs from the text, and the text is more than the
// mark of a note.
func worthLinking(text, target string) bool {
	const longest = 1000
	if target == "" || len(target) > longest || target == text || !strings.ContainsFunc(text, unicode.IsLetter) {
		return false
	}
	scheme, rest, found := strings.Cut(target, ":")
	if !found || strings.ContainsAny(scheme, "/?#") {
		return target != "#"
	}
	switch strings.ToLower(scheme) {
	case "http", "https", "ftp":
		bare := strings.Trim(rest, "/")
		return text != bare && !strings.HasSuffix(strings.TrimRight(text, "/"), "//"+bare)
	}
	return false
}

// Append adds another text.
func (in *Inline) Append(other *Inline) {
	in.space = in.space || other.led
	for _, p := range other.pieces {
		in.flushSpace()
		in.add(p)
	}
	in.space = in.space || other.space
}

// Empty reports whether nothing but space was added.
func (in *Inline) Empty() bool { return in.size == 0 }

// Len returns the size of the added text in bytes.
func (in *Inline) Len() int { return in.size }

// Plain returns the text in one line, without markup.
func (in *Inline) Plain() string {
	var b strings.Builder
	for _, p := range in.pieces {
		if p.kind != linkEnd {
			b.WriteString(p.text)
		}
	}
	return strings.Join(strings.FieldsFunc(b.String(), isSpace), " ")
}

func (in *Inline) flushSpace() {
	switch {
	case !in.space || in.last() == '\n':
	case in.size == 0:
		in.led = true
	default:
		in.add(piece{words, " "})
	}
	in.space = false
}

func (in *Inline) add(p piece) {
	in.pieces, in.joined = append(in.pieces, p), nil
	in.size += len(p.text)
}

// last returns the last character, or 0 if there is none.
func (in *Inline) last() rune {
	if len(in.pieces) == 0 || in.pieces[len(in.pieces)-1].kind >= linkStart {
		return 0
	}
	r, _ := utf8.DecodeLastRuneInString(in.pieces[len(in.pieces)-1].text)
	return r
}

func isSpace(r rune) bool {
	return r == ' ' || r == '\n' || r == '\t' || r == '\r' || r == '\f' || r == '\v' || r == '\u00a0'
}

// isWide reports whether r is written without spaces beside it.
func isWide(r rune) bool {
	return r >= 0x2e80 && r < 0xac00 || r >= 0xf900 && r < 0xfb00 || r >= 0xff00 && r < 0xfff0 || r >= 0x20000
}

func startsWide(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return isWide(r)
}
