package corpus

import (
	"regexp/syntax"
	"slices"
	"unicode/utf8"
)

// Required returns texts of which every line that a [Matcher] finds contains at least one, letter for letter, or nil if
// none is known, as in mode loose.
func Required(mode, query string) []string {
	switch mode {
	case ModePlain:
		return []string{query}
	case ModeRegex:
		if re, err := syntax.Parse(query, syntax.Perl); err == nil {
			return required(re.Simplify())
		}
	}
	return nil
}

// mostRequired is the maximum number of alternative texts.
const mostRequired = 16

// required is Required for a parsed expression. For a sequence, it takes the part with the longest texts.
func required(re *syntax.Regexp) []string {
	switch re.Op {
	case syntax.OpLiteral:
		if re.Flags&syntax.FoldCase == 0 {
			return []string{string(re.Rune)}
		}
	case syntax.OpCapture, syntax.OpPlus:
		return required(re.Sub[0])
	case syntax.OpConcat:
		var best []string
		for _, sub := range re.Sub {
			if texts := required(sub); shortest(texts) > shortest(best) {
				best = texts
			}
		}
		return best
	case syntax.OpAlternate:
		var all []string
		for _, sub := range re.Sub {
			texts := required(sub)
			if texts == nil || len(all)+len(texts) > mostRequired {
				return nil
			}
			all = append(all, texts...)
		}
		return all
	}
	return nil
}

// shortest returns the length of the shortest text, or 0 if there are none.
func shortest(texts []string) int {
	if len(texts) == 0 {
		return 0
	}
	return utf8.RuneCountInString(slices.MinFunc(texts, func(a, b string) int {
		return utf8.RuneCountInString(a) - utf8.RuneCountInString(b)
	}))
}
