package tension

import (
	_ "embed"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/sagasu-search/sagasu/sdk/text"
)

//go:embed data/cues.txt
var cueData string

// cues is a set of classes of cues.
type cues uint32

const (
	negation cues = 1 << iota
	permit
	forbid
	universal
	order
	define
	ask  // asks whether something is so
	open // asks for a value, a name or a way
)

var cueNames = map[string]cues{"negation": negation, "permit": permit, "forbid": forbid, "universal": universal,
	"order": order, "define": define, "ask": ask, "open": open}

type cue struct {
	text  string
	class cues
}

// lexicon is the content of data/cues.txt: the cues by their first word or first character, and the English words that
// limit or negate a statement but have no content of their own.
type lexicon struct {
	cues    map[string][]cue
	grammar map[string]bool
}

var cueLexicon = sync.OnceValue(func() *lexicon {
	l := &lexicon{make(map[string][]cue), make(map[string]bool)}
	for line := range strings.Lines(cueData) {
		head, list, ok := strings.Cut(strings.TrimSpace(line), ": ")
		name, _, _ := strings.Cut(head, " ")
		class := cueNames[name]
		if !ok || class == 0 && name != "grammar" {
			continue
		}
		for c := range strings.SplitSeq(list, "|") {
			if c = text.Fold(c); class == 0 {
				l.grammar[c] = true
			} else {
				l.cues[firstOf(c)] = append(l.cues[firstOf(c)], cue{c, class})
			}
		}
	}
	return l
})

// firstOf returns the first Latin word of a text, or its first character.
func firstOf(s string) string {
	if n := wordEnd(s); n > 0 {
		return s[:n]
	}
	_, n := utf8.DecodeRuneInString(s)
	return s[:n]
}

func wordEnd(s string) int {
	n := 0
	for n < len(s) && (s[n] >= 'a' && s[n] <= 'z' || n > 0 && s[n] == '\'') {
		n++
	}
	return n
}

// cuesOf returns the classes of cues in a folded text.
func cuesOf(s string) (found cues) {
	table := cueLexicon().cues
	for i := 0; i < len(s); {
		first := firstOf(s[i:])
		for _, c := range table[first] {
			if rest, ok := strings.CutPrefix(s[i:], c.text); ok && (first[0] >= utf8.RuneSelf || wordEnd(rest) == 0) {
				found |= c.class
			}
		}
		i += len(first)
	}
	return found
}
