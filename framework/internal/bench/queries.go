package bench

import (
	"strings"
	"unicode/utf8"

	"github.com/sagasu-search/sagasu/framework/internal/eval"
)

// fromHeadings makes queries of the headings of a corpus, each once, where nobody
// judged any: every third asks a question about its heading. The section of the
// heading is what is relevant, which says nothing of quality.
func fromHeadings(units []unit, language string) []eval.Query {
	frame := " とは"
	if language == "en" {
		frame = " how to use"
	}
	var out []eval.Query
	seen := map[string]bool{}
	for _, u := range units {
		title := strings.TrimSpace(u.target.Heading)
		if n := utf8.RuneCountInString(title); n < 2 || n > 80 || seen[title] {
			continue
		}
		seen[title] = true
		q := eval.Query{ID: u.target.Path, Query: title, Relevant: []eval.Target{u.target}}
		if len(out)%3 == 2 {
			q.Query += frame
		}
		out = append(out, q)
	}
	return out
}

// spaced takes n of all queries at even distances.
func spaced(queries []eval.Query, n int) []eval.Query {
	if n >= len(queries) {
		return queries
	}
	out := make([]eval.Query, n)
	for i := range out {
		out[i] = queries[i*len(queries)/n]
	}
	return out
}
