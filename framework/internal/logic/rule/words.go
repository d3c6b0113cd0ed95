package rule

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/sagasu-search/sagasu/sdk/text"
	"github.com/sagasu-search/sagasu/sdk/x/dict"
	"github.com/sagasu-search/sagasu/sdk/x/lazyregexp"
)

// Words is the set of ideas in a text: a sign for each line of the glossary, and the stems of words that are in none.
type Words map[string]bool

// plainWords are words that name no subject: words of code, of specifications, of limits and units.
//
//go:embed plain.txt
var plainWords string

var plain = sync.OnceValue(func() map[string]bool {
	all := map[string]bool{}
	for w := range strings.FieldsSeq(plainWords) {
		all[w], all[text.Stem(w)] = true, true
	}
	return all
})

var (
	humps    = lazyregexp.New(`([\p{Ll}\d])(\p{Lu})|(\p{Lu})(\p{Lu}\p{Ll})`)
	latin    = lazyregexp.New(`^[a-z]+$`)
	katakana = lazyregexp.New(`^[\p{Katakana}ー]+$`)
	// written are runs of kanji, with inflections in between, and runs of katakana, which have no spaces between words.
	written = lazyregexp.New(`[\p{Han}々]+(?:[りけきいしえめちれせみびぎげ]\p{Han}+)*|[\p{Katakana}ー]{2,}`)
	// plainJapanese are runs that name no subject.
	plainJapanese = lazyregexp.New(`[円件人回個点]?(?:以上|以下|以内|未満|超過?)|確認|検証|検査|必要|場合|対象|順序|上限|下限|最大|最小|最低|状態|ステータス|必須|任意|値`)
)

// glossary maps words to ideas.
type glossary struct {
	ideas    map[string][]string // by an English stem or a Japanese term
	japanese []string            // the Japanese terms, longest first
}

var bundled = sync.OnceValue(func() *glossary {
	g := &glossary{ideas: map[string][]string{}}
	for _, entry := range slices.Concat(dict.Backend(), dict.Subjects()) {
		for _, term := range entry.To {
			key := term
			if text.IsCJK([]rune(term)[0]) {
				g.japanese = append(g.japanese, term)
			} else {
				key = text.Stem(term)
			}
			g.ideas[key] = append(g.ideas[key], "#"+entry.To[0])
		}
	}
	slices.SortStableFunc(g.japanese, func(a, b string) int { return len(b) - len(a) })
	return g
})

// Apart returns a text with the words of its identifiers separated by spaces.
func Apart(src string) string {
	return strings.ReplaceAll(humps().ReplaceAllString(src, "$1$3 $2$4"), "_", " ")
}

// Read returns the ideas that a text or an identifier names as its subject.
func Read(src string) Words { return read(src, true) }

// Ideas returns all ideas of a text, including those that name no subject.
func Ideas(src string) Words { return read(src, false) }

func read(src string, subjects bool) Words {
	g, found := bundled(), Words{}
	folded := text.Fold(Apart(src))
	z, norm := text.Tokenizer{}, text.Text{Norm: folded}
	for token := range z.Tokens(&norm) {
		w := folded[token.Start:token.End]
		if token.Class != text.Word || len(w) < 2 || !latin().MatchString(w) || text.EnglishStop(w) ||
			subjects && (plain()[w] || plain()[token.Term]) {
			continue
		}
		found.add(token.Term, g.ideas[token.Term])
	}
	if !text.HasCJK(folded) {
		return found
	}
	if subjects {
		folded = plainJapanese().ReplaceAllString(folded, "\n")
	}
	for _, term := range g.japanese {
		index := strings.Index
		if katakana().MatchString(term) && utf8.RuneCountInString(term) < 4 { // not part of a longer word
			index = dict.Index
		}
		for at := index(folded, term); at >= 0; at = index(folded, term) {
			found.add(term, g.ideas[term])
			folded = folded[:at] + "\n" + folded[at+len(term):]
		}
	}
	for _, run := range written().FindAllString(folded, -1) {
		if len([]rune(run)) > 1 {
			found[run] = true
		}
	}
	return found
}

// Shared returns the number of ideas that another text names too.
func (w Words) Shared(other Words) (n int) {
	for idea := range w {
		if other[idea] {
			n++
		}
	}
	return n
}

func (w Words) add(word string, ideas []string) {
	if len(ideas) == 0 {
		w[word] = true
	}
	for _, idea := range ideas {
		w[idea] = true
	}
}
