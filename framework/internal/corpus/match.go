package corpus

import (
	"context"
	"errors"
	"io"
	"regexp"
	"regexp/syntax"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/sdk/text"
)

// Modes of searching lines.
const (
	ModeRegex = "regex" // RE2
	ModePlain = "plain" // the exact letters
	ModeLoose = "loose" // ignoring case, width and separators
)

// Matcher returns the byte range [from, to) of the first match in a line, or -1 if there is none or ctx ended first.
type Matcher func(ctx context.Context, line string) (from, to int)

// NewMatcher returns the matcher of a query in a mode. It fails with invalid_parameter for a query
// that cannot be searched for.
func NewMatcher(mode, query string) (Matcher, error) {
	if query == "" {
		return nil, toolset.Invalid("query", "", "a text that is not empty")
	}
	switch mode {
	case ModePlain:
		return func(_ context.Context, line string) (int, int) {
			at := strings.Index(line, query)
			return at, at + len(query)
		}, nil
	case ModeLoose:
		return looseMatcher(query)
	case ModeRegex:
		return regexMatcher(query)
	}
	return nil, toolset.Invalid("mode", mode, "one of regex, plain, loose")
}

func looseMatcher(query string) (Matcher, error) {
	needle := text.Loose(text.Fold(query))
	if needle == "" {
		return nil, toolset.Invalid("query", query, "a text with letters or digits for mode loose")
	}
	return func(_ context.Context, line string) (int, int) {
		t := text.Normalize(line)
		start, end := text.IndexLoose(t.Norm, needle)
		if start < 0 {
			return -1, -1
		}
		return t.Source(start, end)
	}, nil
}

// For each byte, a regular expression takes at most as many steps as it has instructions.
const (
	// maxProgram is the maximum number of instructions of a regular expression.
	maxProgram = 10_000
	// atOnce is the number of steps that are taken without checking the context.
	atOnce = 8 << 20
)

func regexMatcher(query string) (Matcher, error) {
	re, err := regexp.Compile(query)
	if err != nil {
		return nil, badRegex(query, err)
	}
	steps := programSize(query)
	if steps > maxProgram {
		return nil, toolset.Errorf(toolset.InvalidParameter, "query is too large a regular expression: %d steps "+
			"for each letter, at most %d; repeat less, or use mode plain", steps, maxProgram).
			With("parameter", "query").With("expected", "a regular expression with smaller repeats")
	}
	return func(ctx context.Context, line string) (int, int) {
		var at []int
		if len(line) <= atOnce/steps {
			at = re.FindStringIndex(line)
		} else if at = re.FindReaderIndex(&cancellable{ctx: ctx, rest: line}); ctx.Err() != nil {
			return -1, -1
		}
		if at == nil {
			return -1, -1
		}
		return at[0], at[1]
	}, nil
}

// programSize returns the number of instructions of a regular expression, at least 1.
func programSize(query string) int {
	re, err := syntax.Parse(query, syntax.Perl)
	if err != nil {
		return 1
	}
	program, err := syntax.Compile(re.Simplify())
	if err != nil {
		return 1
	}
	return max(len(program.Inst), 1)
}

// cancellable reads the runes of a line until ctx ends.
type cancellable struct {
	ctx  context.Context
	rest string
	read int
}

// lookEvery is the number of runes between two checks of the context.
const lookEvery = 512

// ReadRune implements [io.RuneReader].
func (p *cancellable) ReadRune() (rune, int, error) {
	if p.rest == "" || p.read%lookEvery == 0 && p.ctx.Err() != nil {
		return 0, 0, io.EOF
	}
	r, size := utf8.DecodeRuneInString(p.rest)
	p.rest, p.read = p.rest[size:], p.read+1
	return r, size, nil
}

// badRegex returns the error for an invalid regular expression, with the position of the mistake.
func badRegex(query string, err error) error {
	bad, ok := errors.AsType[*syntax.Error](err)
	if !ok {
		return toolset.Invalid("query", query, "a regular expression")
	}
	from := max(strings.Index(query, bad.Expr), 0)
	if bad.Code == syntax.ErrMissingParen { // the parser names the whole expression
		from = unclosed(query)
	}
	at := utf8.RuneCountInString(query[:from])
	return toolset.Errorf(toolset.InvalidParameter, "query is no regular expression: %s at character %d; escape "+
		"it with a backslash, or use mode plain", bad.Code, at+1).
		Argument("query", query, "a regular expression in RE2 syntax").
		With("position", at).With("example", map[string]any{"query": query, "mode": ModePlain})
}

// unclosed returns the offset of the innermost group that is not closed, or 0 if there is none.
func unclosed(query string) int {
	var open []int
	class := false
	for i := 0; i < len(query); i++ {
		switch c := query[i]; {
		case c == '\\':
			i++
		case c == '[' && !class:
			class = true
		case c == ']':
			class = false
		case c == '(' && !class:
			open = append(open, i)
		case c == ')' && !class && len(open) > 0:
			open = open[:len(open)-1]
		}
	}
	if len(open) == 0 {
		return 0
	}
	return open[len(open)-1]
}

const (
	snippetChars = 200
	snippetLead  = 60 // before the match, if the line is longer
)

// LineSnippet returns the part of a line around the byte at, at most 200 code points, cut between words, with "…" where
// the line continues.
func LineSnippet(line string, at int) string {
	raw := []byte(line)
	if Forward(raw, 0, snippetChars) == len(raw) {
		return string(raw) // a copy, since the line may be a view of a snapshot
	}
	from := FirstWord(raw, Backward(raw, at, snippetLead), at)
	end := Forward(raw, from, snippetChars-2)
	if end < len(raw) {
		end = LastWord(raw, at, end)
	}
	text := string(raw[from:end])
	if from > 0 {
		text = cutMark + strings.TrimLeftFunc(text, unicode.IsSpace)
	}
	if end < len(raw) {
		text = strings.TrimRightFunc(text, unicode.IsSpace) + cutMark
	}
	return text
}

// cutMark marks where a line continues.
const cutMark = "…"
