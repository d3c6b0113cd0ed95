package semcache

import (
	"regexp"
	"slices"
	"strings"

	"github.com/sagasu-search/sagasu/sdk/x/lazyregexp"
)

// contractions are written out, so that a negation is a word of its own.
var contractions = strings.NewReplacer(
	"can't", "can not", "cannot", "can not", "won't", "will not", "shan't", "shall not",
	"n't", " not", "what's", "what is", "where's", "where is", "how's", "how is", "i'd ", "i would ",
)

// The frames that a question begins with, tried in this order and each once.
// How and where stay: they say what is asked; "how do you" may ask what the
// other side does, a bare "explain" may be a command's name.
var openings = []struct {
	frame func() *regexp.Regexp
	plain string
}{
	{lazyregexp.New(`^(?:please,? |(?:can|could|would) you (?:please )?)(?:explain |(?:tell|show) me )(?:about |to me )?`), ""},
	{lazyregexp.New(`^(?:please,? )?(?:(?:tell|show) me (?:about )?|explain to me |i (?:want|need|would like) to know (?:about )?)`), ""},
	{lazyregexp.New(`^please,? `), ""},
	{lazyregexp.New(`^how (?:do|can) (?:i|we) `), "how to "},
	{lazyregexp.New(`^what are `), "what is "},
}

// english is the form of a query without Japanese text. Words keep their order,
// since only order says who does what, and are not stemmed: universe and
// university share a stem.
func english(s string) string {
	s = contractions.Replace(s)
	for _, o := range openings {
		s = o.frame().ReplaceAllString(s, o.plain)
	}
	words := strings.Fields(s)
	for i, w := range words {
		words[i] = unpunctuated(w, ",")
	}
	var out []string
	for i, w := range words {
		if !droppable(words, i) {
			out = append(out, w)
		}
	}
	return strings.Join(out, " ")
}

// droppable reports whether a word is an article, or manners at the end.
func droppable(words []string, i int) bool {
	last := i == len(words)-1
	switch words[i] {
	case "please":
		return last && i > 0
	case "the", "an", "my":
		return !last
	case "a":
		return !last && isArticle(words, i)
	}
	return false
}

// prepositions stand before an article and never before a name.
var prepositions = strings.Fields("is are of for in on with as from into by at without per")

// isArticle distinguishes the article from the letter, as in plan A or point A to B: it
// opens the query, or follows a preposition or the verb of "how to" or "can I", and a
// word follows that can be a noun.
func isArticle(words []string, i int) bool {
	if next := words[i+1]; len(next) == 1 || slices.Contains(prepositions, next) ||
		slices.Contains([]string{"and", "or", "to", "vs", "not"}, next) {
		return false
	}
	before := strings.Join(words[max(0, i-3):i], " ")
	return i == 0 || slices.Contains(prepositions, words[i-1]) || verbBefore().MatchString(before)
}

var verbBefore = lazyregexp.New(`(?:^| )(?:how to|(?:can|do|should|must|may) (?:i|we|you)) [a-z]+$`)
