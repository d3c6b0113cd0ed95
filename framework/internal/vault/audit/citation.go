package audit

import (
	"cmp"
	"strconv"
	"strings"

	"golang.org/x/text/width"

	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/sdk/x/lazyregexp"
)

// Citation is the source lines that an element names.
type Citation struct {
	Ranges     []toolset.Range // as written: they may lie outside the source
	Unreadable []string        // what stands where lines should
}

func (c Citation) empty() bool { return len(c.Ranges) == 0 && len(c.Unreadable) == 0 }

func (c *Citation) add(other Citation) {
	c.Ranges = append(c.Ranges, other.Ranges...)
	c.Unreadable = append(c.Unreadable, other.Unreadable...)
}

var (
	key      = lazyregexp.New("(?i)source_lines[\"'`*]*\\s*[:=：]\\s*[\"'`*\\[]*\\s*")
	oneRange = lazyregexp.New(`^[lL]?(\d+)(?:\s*[-‐‑‒–—―−~〜～]\s*[lL]?(\d+))?`)
	between  = lazyregexp.New("^[\"'`\\]]*\\s*[,、;]\\s*[\"'`\\[]*\\s*")
	leftover = lazyregexp.New("`\\s*`|<!--[\\s\"'`{}\\]]*-->|[(\\[{（［【][\\s\"'`\\]]*[)\\]}）］】]|\\{\\s*\"\\s*\\}")
)

// citations finds the citations in a text and returns the text without them.
func citations(text string) (c Citation, rest string) {
	text = width.Fold.String(text)
	var kept strings.Builder
	for {
		at := key().FindStringIndex(text)
		if at == nil {
			kept.WriteString(text)
			return c, strings.Join(strings.Fields(leftover().ReplaceAllString(kept.String(), " ")), " ")
		}
		found, length := lineList(text[at[1]:])
		if found.empty() && !spoken(text[:at[0]]) {
			found.Unreadable = []string{firstWord(text[at[1]:])}
		}
		if more := continued(text[at[1]+length:]); len(found.Ranges) > 0 && more > 0 {
			length += more
			found = Citation{Unreadable: []string{strings.TrimSpace(text[at[1] : at[1]+length])}}
		}
		c.add(found)
		kept.WriteString(text[:at[0]])
		text = text[at[1]+length:]
	}
}

// lineList reads `3-5, 8` at the start of a text and returns its length.
func lineList(text string) (c Citation, length int) {
	for {
		found := oneRange().FindStringSubmatch(text[length:])
		if found == nil {
			return c, length
		}
		c.Ranges = append(c.Ranges, rangeOf(found[1], found[2]))
		length += len(found[0])
		gap := between().FindString(text[length:])
		if gap == "" || !oneRange().MatchString(text[length+len(gap):]) {
			return c, length
		}
		length += len(gap)
	}
}

// torn matches a malformed rest of a citation's lines: a third number, a fraction, a dangling dash,
// or letters after a number.
var torn = lazyregexp.New(`^(?:[-‐‑‒–—―−~〜～](?:[^-~]\S*|\s*$)|\s*[-‐‑‒–—―−~〜～]\s*\d+|\.+\d\S*|\s*/\s*\d+|[A-Za-z_]\w*|` +
	`\s*[,、;]\s*[,、;]\S*|[,、;][A-Za-z_]\w*|` +
	`\s+(?:(?:and|to|through|&|\+)\s*)?\d+\s*(?:$|[-,;)\]}|"'` + "`])|\\s*[,、;]\\s*\\d+[A-Za-z_]\\w*)")

// continued returns the length of what follows lines and makes them unreadable, 0 for
// nothing.
func continued(after string) int {
	after, _, _ = strings.Cut(after, "-->")
	after, _, _ = strings.Cut(after, "\n")
	return len(torn().FindString(after))
}

// rangeOf reads numbers of lines. One too large to read is beyond any source.
func rangeOf(first, last string) toolset.Range {
	line := func(digits string) int {
		if n, err := strconv.Atoi(digits); err == nil {
			return n
		}
		return beyond
	}
	return toolset.Range{StartLine: line(first), EndLine: line(cmp.Or(last, first))}
}

const beyond = 1<<31 - 1

// spoken reports whether a text ends inside a code span. The name of a citation in a code span,
// without a number, only mentions citations.
func spoken(before string) bool { return strings.Count(before, "`")%2 == 1 }

func firstWord(text string) string {
	text, _, _ = strings.Cut(text, "-->")
	if end := strings.IndexAny(text, " \t\n)>]}\""); end >= 0 {
		return text[:end]
	}
	return text
}

// wholeCitation reads a text that should be nothing but lines, as a cell of a
// table or a JSON string.
func wholeCitation(text string) Citation {
	text = strings.Trim(strings.TrimSpace(width.Fold.String(text)), "`'\"[]")
	if named, rest := citations(text); !named.empty() && rest == "" {
		return named
	}
	c, length := lineList(text)
	if rest := strings.TrimSpace(text[length:]); rest != "" && rest != "行" {
		c.Unreadable = append(c.Unreadable, text)
	}
	return c
}
