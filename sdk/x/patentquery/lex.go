package patentquery

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/sagasu-search/sagasu/sdk/text"
)

type kind int

const (
	end kind = iota
	open
	shut
	word   // text without quotes; may be an operator
	phrase // text between quotes
	field  // a name and its colon
	near   // *N30" with the quote
	quote  // the quote that ends a near
)

type token struct {
	kind     kind
	at, stop int    // byte offsets in the query
	text     string // for words, phrases and fields
	star     bool   // for words and phrases
	ordered  bool   // for nears
	distance int    // for nears, and for phrases with ~
	tilde    bool   // for phrases: a ~ and a number follow the quotes
}

// blank returns the fix that replaces the token by a space.
func (t token) blank() fix { return fix{t.at, t.stop - t.at, " "} }

// lexer cuts a query into tokens.
type lexer struct {
	src  string
	at   int
	near bool // inside the quotes of a near
}

// ascii returns the form in which a character with a meaning in the language is read.
func ascii(r rune) rune {
	switch {
	case r >= '！' && r <= '～':
		return r - '！' + '!'
	case strings.ContainsRune("“”„‟", r):
		return '"'
	case r == '￥' || r == '¥':
		return '\\'
	case unicode.IsSpace(r):
		return ' '
	}
	return r
}

// asciiOf returns a piece of a query with its characters in ASCII form.
func asciiOf(s string) string { return strings.Map(ascii, s) }

// peek returns the character at an offset in its ASCII form, and its length. At the end both are 0.
func (l *lexer) peek(at int) (rune, int) {
	if at >= len(l.src) {
		return 0, 0
	}
	r, n := utf8.DecodeRuneInString(l.src[at:])
	return ascii(r), n
}

func (l *lexer) next() (token, *failure) {
	r, n := l.peek(l.at)
	for ; r == ' ' && n > 0; r, n = l.peek(l.at) {
		l.at += n
	}
	t := token{at: l.at, stop: l.at + n}
	if n == 0 {
		return t, nil
	}
	switch {
	case r == '(':
		t.kind = open
	case r == ')':
		t.kind = shut
	case r == '"' && l.near:
		t.kind = quote
	case r == '"':
		return l.phrase(t)
	case r == '*' && !l.near:
		return l.proximity(t)
	case r == '\\' && l.near:
		return l.innerPhrase(t)
	default:
		return l.word(t)
	}
	l.at = t.stop
	return t, nil
}

// phrase reads up to the closing quote.
func (l *lexer) phrase(t token) (token, *failure) {
	t.kind = phrase
	for at := t.stop; ; {
		r, n := l.peek(at)
		switch {
		case n == 0:
			return t, l.fail(t.at, "a quote that is not closed", `a closing "`, fix{len(l.src), 0, `"`})
		case r == '"':
			t.text, t.star = unstar(l.src[t.stop:at])
			t.stop = at + n
			l.at = t.stop
			return l.slop(t)
		case r == '?':
			return t, l.wildcard(t, at, false)
		}
		at += n
	}
}

// slop reads the ~ and the number that may follow a phrase.
func (l *lexer) slop(t token) (token, *failure) {
	r, n := l.peek(t.stop)
	if r != '~' {
		return t, nil
	}
	digits, at := l.digits(t.stop + n)
	if digits == "" || len(digits) > len(fmt.Sprint(MaxDistance)) {
		return t, l.fail(t.stop, "a ~ without a distance", `a number of words after ~, such as "heat sink"~5`,
			fix{t.stop, n + len(digits), ""})
	}
	fmt.Sscan(digits, &t.distance)
	t.tilde, t.stop, l.at = true, at, at
	return t, nil
}

// digits returns the digits at an offset, and where they end.
func (l *lexer) digits(at int) (digits string, stop int) {
	stop = l.skipDigits(at)
	return asciiOf(l.src[at:stop]), stop
}

func (l *lexer) skipDigits(at int) (stop int) {
	for r, n := l.peek(at); r >= '0' && r <= '9'; r, n = l.peek(at) {
		at += n
	}
	return at
}

// wildcard rejects a ?, a $ or a # used as a wildcard. The fix replaces it and the rest of the word by
// *; inside a phrase or at the start of a word, it drops the sign.
func (l *lexer) wildcard(t token, at int, open bool) *failure {
	stop := at
	for r, n := l.peek(stop); n > 0 && !strings.ContainsRune(` ()"`, r); r, n = l.peek(stop) {
		stop += n
	}
	sign, n := l.peek(at)
	mend := fix{at, stop - at, "*"}
	if !open || at == t.at {
		mend = fix{at, n, " "}
	}
	return l.fail(at, "a "+string(sign)+" that stands for characters",
		"sens* for any ending, or the words themselves, such as (color OR colour)", mend)
}

// innerPhrase reads a phrase between \" and \" inside a near.
func (l *lexer) innerPhrase(t token) (token, *failure) {
	r, n := l.peek(t.stop)
	if r != '"' {
		return t, l.fail(t.at, `a \`, `a term, or a phrase written \"like this\"`, t.blank())
	}
	t.kind = phrase
	from := t.stop + n
	for at := from; ; {
		r, n := l.peek(at)
		after, m := l.peek(at + n)
		switch {
		case n == 0 || r == '"':
			return t, l.fail(t.at, `a \" that is not closed`, `a closing \"`, fix{at, 0, `\"`})
		case r == '\\' && after == '"':
			t.text, t.star = unstar(l.src[from:at])
			t.stop = at + n + m
			l.at = t.stop
			return t, nil
		}
		at += n
	}
}

// unstar removes the star from the end of a phrase.
func unstar(s string) (string, bool) {
	s = strings.TrimSpace(s)
	for _, star := range []string{"*", "＊"} {
		if rest, ok := strings.CutSuffix(s, star); ok {
			return strings.TrimSpace(rest), true
		}
	}
	return s, false
}

// proximity reads *N30" or *ONP30".
func (l *lexer) proximity(t token) (token, *failure) {
	at, letters := t.stop, ""
	for r, n := l.peek(at); isLetter(r); r, n = l.peek(at) {
		letters, at = letters+string(unicode.ToUpper(r)), at+n
	}
	digits, at := l.digits(at)
	r, n := l.peek(at)
	found := excerpt(l.src[t.at:min(at+n, len(l.src))])
	switch {
	case r != '"' && letters != "N" && letters != "ONP" && searchable(l.src[t.stop:min(at+n, len(l.src))]):
		return t, l.fail(t.at, "a * before a word", "words from their start, such as sens*; "+
			"give those that end so by OR, such as (biosensor OR photosensor)", fix{t.at, t.stop - t.at, " "})
	case letters != "N" && letters != "ONP":
		return t, l.fail(t.at, found, `a term before *, or a proximity such as *N30"a b" or *ONP30"a b"`, t.blank())
	case digits == "" || len(digits) > len(fmt.Sprint(MaxDistance)):
		return t, l.fail(t.at, found, fmt.Sprintf("a distance of 0 to %d characters after *%s", MaxDistance, letters),
			fix{t.at, at - t.at, "*" + letters + "30"})
	case r != '"':
		return t, l.fail(at, l.foundAt(at), `" and the two sides of the proximity, such as *N30"a b"`,
			fix{t.at, at - t.at, " "})
	}
	fmt.Sscan(digits, &t.distance)
	t.kind, t.ordered, t.stop = near, letters == "ONP", at+n
	l.at = t.stop
	return t, nil
}

// word reads a word, or the name of a field with its colon.
func (l *lexer) word(t token) (token, *failure) {
	t.kind = word
	at := t.at
	for {
		r, n := l.peek(at)
		switch {
		case n == 0 || r == ' ' || r == '(' || r == ')' || r == '"' || r == '\\' && l.near:
			t.text, t.stop, l.at = l.src[t.at:at], at, at
			if bad := l.foreign(t); bad != nil {
				return t, bad
			}
			return t, nil
		case r == '=' && !l.near && l.names(t.at, at):
			t.text, t.stop = asciiOf(l.src[t.at:at]), at+n
			return t, l.unknownField(t)
		case r == ':' && (isName(l.src[t.at:at]) || l.names(t.at, at)) && !l.near:
			t.kind, t.text, t.stop, l.at = field, asciiOf(l.src[t.at:at]), at+n, at+n
			return t, nil
		case r == '*':
			return l.starred(t, at, n)
		case r == '+' && !l.near && l.joins(at, n):
			return t, l.fail(at, "a + between terms", "OR", fix{at, n, " OR "})
		case r == '?', r == '$' && at > t.at && l.ends(l.skipDigits(at+n)), r == '#' && l.amid(at, n):
			return t, l.wildcard(t, at, true)
		case r == '~' && at > t.at && unicode.IsLetter(lastOf(l.src[t.at:at])):
			if stop := l.skipDigits(at + n); l.ends(stop) {
				return t, l.fail(at, "a ~ after a word", `the word as it is spelt, or with any ending, such as sens*; `+
					`"a b"~5 finds words near each other`, fix{at, stop - at, ""})
			}
		}
		at += n
	}
}

// longestName is the maximum length of a field name in bytes.
const longestName = 32

// names reports whether the text between two offsets is the name of a known field, of queries or of filters.
func (l *lexer) names(from, to int) bool {
	if to-from > longestName {
		return false
	}
	_, ok := ourField(l.src[from:to])
	return ok || filterFields[strings.ToLower(asciiOf(l.src[from:to]))] != ""
}

// joins reports whether the sign of n bytes at an offset is between Japanese terms, possibly in brackets. There, other
// systems read * as AND and + as OR.
func (l *lexer) joins(at, n int) bool {
	before, after := lastOf(l.src[:at]), firstOf(l.src[at+n:])
	return (before == ']' || text.IsCJK(before)) && (after == '[' || text.IsCJK(after))
}

// amid reports whether the sign of n bytes at an offset is between letters.
func (l *lexer) amid(at, n int) bool {
	return unicode.IsLetter(lastOf(l.src[:at])) && unicode.IsLetter(firstOf(l.src[at+n:]))
}

// ends reports whether a word ends at an offset.
func (l *lexer) ends(at int) bool {
	r, n := l.peek(at)
	return n == 0 || strings.ContainsRune(` ()"`, r)
}

// firstOf returns the first character of s.
func firstOf(s string) rune {
	r, _ := utf8.DecodeRuneInString(s)
	return r
}

// lastOf returns the last character of s.
func lastOf(s string) rune {
	r, _ := utf8.DecodeLastRuneInString(s)
	return r
}

// starred ends a word with a star.
func (l *lexer) starred(t token, at, n int) (token, *failure) {
	t.text, t.star, t.stop, l.at = l.src[t.at:at], true, at+n, at+n
	after, m := l.peek(t.stop)
	if !l.near && l.joins(at, n) {
		return t, l.fail(at, "a * between terms", "AND", fix{at, n, " AND "})
	}
	if m > 0 && !strings.ContainsRune(` ()"`, after) && (after != '\\' || !l.near) {
		return t, l.fail(at, "a * inside a term", "a * at the end of a term only", fix{t.stop, 0, " "})
	}
	if t.text == "" {
		return t, l.fail(at, "a * without a term", "a term before the *", fix{at, n, " "})
	}
	return t, nil
}

// isName reports whether s may be meant as the name of a field.
func isName(s string) bool {
	notInName := func(r rune) bool { r = ascii(r); return r != '_' && !isLetter(r) }
	return s != "" && !strings.ContainsFunc(s, notInName)
}

// isLetter reports whether r is an ASCII letter, as in operators and names.
func isLetter(r rune) bool { return r|0x20 >= 'a' && r|0x20 <= 'z' }

func (l *lexer) fail(at int, found, expected string, mend fix) *failure {
	return &failure{SyntaxError{Offset: at, Found: found, Expected: expected}, mend}
}

// foundAt describes the text at an offset, for errors.
func (l *lexer) foundAt(at int) string {
	_, n := l.peek(at)
	if n == 0 {
		return "the end of the query"
	}
	return excerpt(l.src[at : at+n])
}

// excerpt quotes the start of a piece of a query.
func excerpt(s string) string {
	const most = 24
	runes := []rune(s)
	if len(runes) > most {
		return fmt.Sprintf("%q…", string(runes[:most]))
	}
	return fmt.Sprintf("%q", s)
}
