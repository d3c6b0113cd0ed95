package answer

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/sagasu-search/sagasu/sdk/text"
)

// facet is a kind of answer that a query may ask for, such as a date or a person.
type facet struct {
	name    string
	counter bool     // made for one query: a number and a counter
	asks    []string // parts of a query that ask for it
	names   []string // nouns for it
	units   []string // what follows the number in an answer; "*" for anything
	says    []string // parts of answers
	digits  bool     // some of says have placeholders for digits
}

//go:embed data/facets.txt
var facetData string

var facets = sync.OnceValue(func() []*facet {
	var out []*facet
	for line := range strings.Lines(facetData) {
		field := strings.Split(strings.TrimRight(line, "\n"), "\t")
		if len(field) != 3 {
			continue
		}
		if len(out) == 0 || out[len(out)-1].name != field[0] || field[1] == "asks" {
			out = append(out, &facet{name: field[0]})
		}
		f := out[len(out)-1]
		list := map[string]*[]string{"asks": &f.asks, "names": &f.names, "unit": &f.units, "says": &f.says}[field[1]]
		*list = strings.Split(field[2], "|") // an unknown kind panics in every test
		f.digits = containsAny(strings.Join(f.says, ""), []string{"#"})
	}
	return out
})

// asked returns the facets that a folded query asks for.
func asked(query string) (out []*facet) {
	padded := " " + query + " "
	for _, f := range facets() {
		if containsAny(padded, f.asks) || f.named(query) {
			out = append(out, f)
		}
	}
	if _, rest, ok := strings.Cut(query, "何"); ok && !slices.ContainsFunc(out, (*facet).counts) {
		other := func(c rune) bool { return !unicode.Is(unicode.Han, c) && !unicode.Is(unicode.Katakana, c) }
		if end := strings.IndexFunc(rest, other); end > 0 { // 何合目: a number with what is counted
			out = append(out, &facet{name: "limit", counter: true, units: []string{rest[:end]}})
		}
	}
	return out
}

// slots are the particles and endings after a noun that a Japanese query asks for, and the words before one that an
// English query asks for.
var (
	slots = []string{
		"は?", "は。", "はど", "はい", "は何", "はな", "はだ", "と", "を教", "を知", "を確", "も教", "も知", "も確", "について",
		"の目安", "?", "。", "、そ",
	}
	opening = []string{"what ", "what's ", "which ", "tell me ", "give me "}
)

// named reports whether a folded query asks for the facet by a noun.
func (f *facet) named(query string) bool {
	for _, n := range f.names {
		if !text.HasCJK(n) {
			before, after, ok := strings.Cut(" "+query, " "+n)
			if after = strings.TrimPrefix(after, "s"); !ok || after != "" && isLatin(rune(after[0])) {
				continue
			}
			if containsAny(before, []string{" of ", " for ", " in "}) {
				continue // "the name for the cost" asks for a name
			}
			if startsWith(query, opening) || strings.Count(before, " ") < 2 || !strings.ContainsAny(query, "?") {
				return true
			}
			continue
		}
		_, after, ok := strings.Cut(query, n)
		if !ok {
			continue
		}
		after = strings.TrimLeftFunc(after, func(c rune) bool { return unicode.Is(unicode.Han, c) })
		if after == "" || after == "は" || startsWith(after, slots) {
			return true
		}
	}
	return false
}

// counts reports whether the facet is given by a number with a unit.
func (f *facet) counts() bool { return len(f.units) > 0 }

// numberWords replaces English number words.
var numberWords = strings.NewReplacer(
	" one ", " 1 ", " two ", " 2 ", " three ", " 3 ", " four ", " 4 ",
	" five ", " 5 ", " six ", " 6 ", " seven ", " 7 ", " eight ", " 8 ",
	" nine ", " 9 ", " ten ", " 10 ", " twelve ", " 12 ", " fourteen ", " 14 ",
	" fifteen ", " 15 ", " twenty ", " 20 ", " thirty ", " 30 ", " forty ", " 40 ",
	" fifty ", " 50 ", " sixty ", " 60 ", " ninety ", " 90 ", " half an ", " 0.5 ",
)

// given reports whether a folded text has the form of an answer.
func (f *facet) given(s string) bool {
	if len(f.units) > 0 && !text.HasCJK(s) {
		s = numberWords.Replace(" " + s + " ")
	}
	for i := 0; len(f.units) > 0 && i < len(s); i++ {
		if !isDigit(s[i]) {
			continue
		}
		for i < len(s) && (isDigit(s[i]) || i+1 < len(s) && (s[i] == '.' || s[i] == ',') && isDigit(s[i+1])) {
			i++
		}
		rest := strings.TrimLeft(s[i:], " -")
		for _, u := range f.units {
			if u == "*" || strings.HasPrefix(rest, u) {
				return true
			}
		}
	}
	s = "^ " + s + " "
	return containsAny(s, f.says) || f.digits && containsAny(digits.Replace(s), f.says)
}

// digits replaces every digit by the placeholder for digits.
var digits = strings.NewReplacer(
	"0", "#", "1", "#", "2", "#", "3", "#", "4", "#", "5", "#", "6", "#", "7", "#", "8", "#", "9", "#",
)

func isDigit(b byte) bool { return b >= '0' && b <= '9' }

func containsAny(s string, parts []string) bool {
	return slices.ContainsFunc(parts, func(p string) bool { return strings.Contains(s, p) })
}
