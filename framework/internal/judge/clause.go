package judge

import "strings"

// clause is a part of a sentence with a predicate of its own.
type clause struct {
	start, end int
	words      []word
}

// breaks part clauses. What stands before one is complete without the rest.
var breaks = cues("ますが、", "ませんが、", "ですが、", "ので、", "ため、", "ますし、", "できるが、", "ないが、", "; ", ": ", ", but ", ", so ", " because ", ", although ", ", provided that ", " provided that ", " as long as ", " without ", ", whatever ", ", which ", ", as ", " and must ", " and cannot ", " and can ", " and are ", " and is ", " and will ", "ただし、", "ただし")

// clauses cuts a sentence that was read into its clauses.
func clauses(s *sentence) []clause {
	out := make([]clause, 0, 2)
	for start := 0; start < len(s.norm); {
		end := len(s.norm)
		for k := range breaks {
			b := &breaks[k]
			if !s.pairs.holds(&b.pairs) {
				continue
			}
			if i := strings.Index(s.norm[start:end], b.text); i > 0 {
				end = start + i + len(b.text)
			}
		}
		out = append(out, clause{start, end, within(s.words, start, end)})
		start = end
	}
	return out
}

// within gives the words that lie in [start, end).
func within(words []word, start, end int) []word {
	i := 0
	for i < len(words) && words[i].start < start {
		i++
	}
	j := i
	for j < len(words) && words[j].end <= end {
		j++
	}
	return words[i:j]
}

// aroundNumber narrows an English sentence to the part that says what a number
// counts: the parts between commas, with a condition at the start of the sentence.
func aroundNumber(s string, at int) (start, end int) {
	start, end = 0, len(s)
	if i := strings.LastIndex(s[:at], ", "); i >= 0 && !conditional(s) && !strings.HasPrefix(s[i:], ", which ") {
		start = i + 2
	}
	if i := strings.LastIndex(s[:at], ": "); i >= start && i+2 < at { // else it stands before the value
		start = i + 2
	}
	for _, stop := range [...]string{", after which ", "; ", ", ", " and ", " or ", " to ", " by ", " so that ", " because "} {
		if i := strings.Index(s[at:end], stop); i >= 0 && !startsWith(s[at+i+len(stop):], conditions[:6]) {
			end = at + i
		}
	}
	return start, end
}

// conditional reports whether s starts with a word that binds what it says.
func conditional(s string) bool { return startsWith(s, conditions[:]) }

// conditions start a condition; the first six do so behind a statement, too.
var conditions = [...]string{"if ", "when ", "for ", "after ", "before ", "unless ", "on ", "in ", "at ", "under ", "with ", "without ", "during ", "once ", "as "}
