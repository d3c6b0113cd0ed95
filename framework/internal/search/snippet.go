package search

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/index"
	"github.com/sagasu-search/sagasu/framework/internal/passage"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/text"
	"github.com/sagasu-search/sagasu/sdk/x/lazyregexp"
)

// Sizes in bytes: of the windows in which a source is examined, and of their overlap if one ends within a line.
const (
	windowBytes  = 2 << 10
	overlapBytes = 64
)

// Limits on the search for a best line, in steps of one term times one byte: the steps that are always taken, which
// suffice for most files, and the maximum, which is used only while there is time.
const (
	freeLineSteps = 1 << 16
	maxLineSteps  = 1 << 26
)

// bestLine returns the line, from 1, with the first term of the window that has the most terms, or 1 if none has any.
// whole reports whether the whole source was read: the search in a long source ends with ctx or after a maximum of
// steps.
func bestLine(ctx context.Context, source string, terms []string) (best int, whole bool) {
	from, end, first, whole := bestWindow(ctx, source, terms)
	if first == "" {
		return 1, whole
	}
	return 1 + strings.Count(source[:from], "\n") + linesBefore(source[from:end], first), whole
}

// bestWindow returns the byte range of the window of source that has the most terms, and the first of terms that it
// has, "" if none has any. whole is as for bestLine.
func bestWindow(ctx context.Context, source string, terms []string) (from, end int, first string, whole bool) {
	most, steps := 0, 0
	for at := 0; at < len(source); {
		if steps > maxLineSteps || steps > freeLineSteps && ctx.Err() != nil {
			return from, end, first, false
		}
		next := at + lineEnd(source[at:], windowBytes)
		steps += (next - at) * len(terms)
		looked := next
		if source[next-1] != '\n' { // a term may cross the boundary
			looked = min(len(source), next+overlapBytes)
		}
		norm := text.Fold(source[at:looked])
		n, one := 0, ""
		for _, t := range terms {
			if strings.Contains(norm, t) {
				if n == 0 {
					one = t
				}
				n++
			}
		}
		if n > most {
			from, end, first, most = at, looked, one, n
		}
		at = next
	}
	return from, end, first, true
}

// lineEnd returns the end of the last line that ends within limit bytes or, of a longer line, of the last character.
func lineEnd(source string, limit int) int {
	if len(source) <= limit {
		return len(source)
	}
	if i := strings.LastIndexByte(source[:limit], '\n'); i >= 0 {
		return i + 1
	}
	end := limit
	for end > 0 && !utf8.RuneStart(source[end]) {
		end--
	}
	return end
}

// linesBefore counts the lines before the first one that holds term.
func linesBefore(s, term string) int {
	for i, l := range strings.Split(s, "\n") {
		if strings.Contains(text.Fold(l), term) {
			return i
		}
	}
	return 0
}

// Snippet is a piece of a section around its best match.
type Snippet struct {
	Text string
	// Marks holds the byte ranges in Text that match query terms, ascending.
	Marks [][2]int
}

// Snippets returns a snippet of about max code points for each of the first n candidates of a
// trace. It is empty if the section no longer exists. It fails when ctx ends.
func (e *Engine) Snippets(ctx context.Context, traceID string, n, max int) ([]Snippet, error) {
	t, err := e.traces.get(ctx, traceID)
	if err != nil {
		return nil, err
	}
	out := make([]Snippet, min(n, len(t.Candidates)))
	return out, e.withView(ctx, t, func(view index.View) error {
		for i, c := range t.Candidates[:len(out)] {
			if err := ctx.Err(); err != nil {
				return err
			}
			if id, ok := Locate(view.Snapshot, c.ManualID, c.Path, c.Line); ok {
				body, _, _ := around(ctx, view.Snapshot, id, c.Line, c.Terms)
				out[i] = snippet(body, t.Words, c.Terms, max)
			}
		}
		return nil
	})
}

// around returns at most passageBytes bytes of a section's own text without front matter, the line on which they
// start, and the number of bytes before them. Of a long text, it returns the part around the terms; in a JSON file,
// the part from a line on.
func around(
	ctx context.Context, snap *snapshot.Snapshot, id uint32, line int, terms []string,
) (body string, first, from int) {
	body, first = snap.Source(id, snapshot.FieldBody), line
	if sec, ok := snap.Section(id); ok {
		first, from = sec.Body, frontMatter(sec, body)
		if end := len(body); end-from > passageBytes {
			if sec.Node == snapshot.NodeJSON {
				from = bytesBefore(body, line-sec.Body)
				if i := strings.IndexByte(body[from:], '\n'); i >= 0 {
					end = from + i
				}
			}
			if end-from > passageBytes {
				at, _, _, _ := bestWindow(ctx, body[from:end], terms)
				from += lineEnd(body[from:], max(0, at-leadBytes))
			}
		}
		first += strings.Count(body[:from], "\n")
	}
	body = body[from:]
	return body[:lineEnd(body, passageBytes)], first, from
}

// frontMatter returns the length of the front matter at the start of a section's own text, or 0 if nothing
// follows it.
func frontMatter(sec snapshot.Section, body string) int {
	fenced := strings.HasPrefix(body, "---") || strings.HasPrefix(body, "+++")
	if sec.Body != 1 || !fenced || !corpus.IsMarkdown(sec.Path) {
		return 0
	}
	n := corpus.FrontMatter([]byte(body)) // a copy, which few texts need
	if strings.TrimSpace(body[n:]) == "" {
		return 0
	}
	return n
}

// leadBytes is how much text before the best piece may be shown.
const leadBytes = 4 << 10

// snippet chooses whole sentences of source that have most of the matched tokens. It marks the words
// of the query or, if none occurs whole, the tokens that are not grammar.
func snippet(source string, words, tokens []string, limit int) Snippet {
	worth := passage.Words{}
	for _, t := range tokens {
		worth[t] = tokenWorth
		if grammar(t) {
			worth[t] = grammarWorth
		}
	}
	chosen, _ := passage.Read(source, worth).Choose(limit)
	shown := unlinked(chosen.Text)
	out, t := Snippet{Text: shown}, text.Normalize(shown)
	marks := termRanges(t.Norm, words)
	if len(marks) == 0 {
		marks = termRanges(t.Norm, slices.DeleteFunc(slices.Clone(tokens), grammar))
	}
	for _, m := range marks {
		a, b := t.Source(m[0], m[1])
		out.Marks = append(out.Marks, [2]int{a, b})
	}
	return out
}

// link matches a Markdown link, of which only the text is shown.
var link = lazyregexp.New(`!?\[([^\[\]]*)\]\([^()\s]*\)`)

// unlinked returns a text with the texts of its links instead of these.
func unlinked(source string) (out string) {
	at := 0
	for _, m := range link().FindAllStringSubmatchIndex(source, -1) {
		out = adjoined(adjoined(out, source[at:m[0]]), source[m[2]:m[3]])
		at = m[1]
	}
	return adjoined(out, source[at:])
}

// adjoined returns two texts as one, and spans of code that meet as one: the two backquotes between would be text.
func adjoined(a, b string) string {
	if strings.HasSuffix(a, "`") && strings.HasPrefix(b, "`") {
		return a[:len(a)-1] + b[1:]
	}
	return a + b
}

// Weights of tokens for snippets.
const (
	tokenWorth   = 1
	grammarWorth = 0.05
)

// grammar reports whether a token has hiragana, and so is probably grammar between words rather
// than a word.
func grammar(token string) bool {
	return strings.ContainsFunc(token, func(r rune) bool { return unicode.Is(unicode.Hiragana, r) })
}

// maxRanges is the maximum number of ranges of one term that are considered.
const maxRanges = 64

// termRanges finds the terms in norm and merges ranges that touch or overlap, so that the bigrams of a
// word become one mark.
func termRanges(norm string, terms []string) [][2]int {
	var all [][2]int
	for _, t := range terms {
		for at, n := 0, 0; n < maxRanges && t != ""; n++ {
			i := strings.Index(norm[at:], t)
			if i < 0 {
				break
			}
			begin := at + i
			if at = begin + len(t); !insideWord(norm, begin, at) {
				all = append(all, [2]int{begin, at})
			}
		}
	}
	slices.SortFunc(all, func(a, b [2]int) int { return cmp.Or(a[0]-b[0], a[1]-b[1]) })
	var out [][2]int
	for _, m := range all {
		if last := len(out) - 1; last >= 0 && m[0] <= out[last][1] {
			out[last][1] = max(out[last][1], m[1])
		} else {
			out = append(out, m)
		}
	}
	return out
}

// insideWord reports whether s[begin:end] is inside an alphabetic word and does not begin it. One or two letters
// count only if they are the whole word.
func insideWord(s string, begin, end int) bool {
	before, _ := utf8.DecodeLastRuneInString(s[:begin])
	first, _ := utf8.DecodeRuneInString(s[begin:])
	last, _ := utf8.DecodeLastRuneInString(s[:end])
	after, _ := utf8.DecodeRuneInString(s[end:])
	joined := func(a, b rune) bool { return alphabetic(a) && alphabetic(b) }
	return joined(before, first) || end-begin <= 2 && joined(last, after)
}

// alphabetic reports whether a rune is a digit or a letter of a script that separates words by spaces.
func alphabetic(r rune) bool {
	return unicode.In(r, unicode.Latin, unicode.Greek, unicode.Cyrillic, unicode.Nd)
}
