package quantity

import (
	_ "embed"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"
)

//go:embed words.txt
var wordData string

// lexicon holds the words around numbers; words.txt explains them.
type lexicon struct {
	numerals, multiples, ordinals, months map[string]float64
	heads, beside, tails, per, joints     []string
	monthly, spans, uncounted             []string
}

var words = sync.OnceValue(func() (l lexicon) {
	values := map[string]*map[string]float64{
		"numeral": &l.numerals, "multiple": &l.multiples, "ordinal": &l.ordinals, "month": &l.months,
	}
	lists := map[string]*[]string{
		"head": &l.heads, "beside": &l.beside, "tail": &l.tails, "per": &l.per, "joint": &l.joints,
		"monthly": &l.monthly, "span": &l.spans, "uncounted": &l.uncounted,
	}
	for line := range strings.Lines(wordData) {
		f := strings.Fields(line)
		if list := lists[f[0]]; list != nil {
			*list = append(*list, f[1:]...)
			continue
		}
		m := values[f[0]]
		if m == nil {
			continue // a comment
		}
		if *m == nil {
			*m = map[string]float64{}
		}
		for _, pair := range f[1:] {
			word, value, _ := strings.Cut(pair, "=")
			(*m)[word], _ = strconv.ParseFloat(value, 64) // a test rejects 0
		}
	}
	return l
})

// wordEnd returns the end of the Latin letters at the start of s.
func wordEnd(s string) int {
	n := 0
	for n < len(s) && s[n] >= 'a' && s[n] <= 'z' {
		n++
	}
	return n
}

// tokenEnd returns the end of the Latin word at the start of s, which includes digits, and marks inside it.
func tokenEnd(s string) int {
	n := 0
	for n < len(s) && (isAlnum(s[n]) || n > 0 && n+1 < len(s) && strings.IndexByte("-_'.,", s[n]) >= 0 &&
		isAlnum(s[n-1]) && isAlnum(s[n+1])) {
		n++
	}
	return n
}

// numberEnd returns the end of the number at the start of s, which includes a point or a comma only between two digits.
func numberEnd(s string) int {
	n := 0
	for n < len(s) && (isDigit(s[n]) || n > 0 && (s[n] == '.' || s[n] == ',') && n+1 < len(s) && isDigit(s[n+1])) {
		n++
	}
	return n
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isAlnum(c byte) bool { return isDigit(c) || c >= 'a' && c <= 'z' }

// endsWith reports whether s ends with one of the words as a whole.
func endsWith(s string, words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool {
		head, ok := strings.CutSuffix(s, w)
		before, _ := utf8.DecodeLastRuneInString(head)
		return ok && (!isAlnum(w[0]) || head == "" || !isAlnum(head[len(head)-1])) && !(isHan(before) && startsHan(w))
	})
}

// startsWith reports whether s starts with one of the words. A Latin word must be whole.
func startsWith(s string, words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool {
		tail, ok := strings.CutPrefix(s, w)
		return ok && (!isAlnum(w[0]) || tail == "" || !isAlnum(tail[0]))
	})
}

func startsHan(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return isHan(r)
}

func isHan(r rune) bool { return r >= 0x4E00 && r <= 0x9FFF || r == '々' }
