package code

import (
	"cmp"
	"slices"
	"strings"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/sdk/x/lazyregexp"
)

// Reading is a cut file with its lines, which count from 1.
type Reading struct {
	File
	Raw  []string // unchanged lines
	Bare []string // without comments and doc strings
	// Innermost is the index of the innermost unit that contains a line, or -1.
	Innermost []int
}

// Read cuts a file and its lines.
func Read(path string, src []byte) Reading {
	r := Reading{File: Cut(path, src), Raw: Lines(src)}
	r.Bare = Lines(r.Uncommented(src))
	r.Innermost = slices.Repeat([]int{-1}, len(r.Raw)+1)
	starts := corpus.NewLines(src)
	for i, u := range r.Units { // nested units come later
		for line := starts.At(u.Start); line < len(r.Innermost) && starts.Start(line) < u.End; line++ {
			if at := starts.Start(line) + r.Depth(line); u.Start <= at && at < u.End {
				r.Innermost[line] = i
			}
		}
	}
	return r
}

// Lines splits a text into the lines that [corpus.Lines] counts, and an empty one after the last line break.
func Lines(src []byte) []string {
	return strings.Split(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(string(src)), "\n")
}

// OneLine folds a text to one line with single spaces.
func OneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// Tests reports whether a unit only contains tests for others in its file, as Rust modules do.
func (f File) Tests(unit int) bool {
	module, _, _ := strings.Cut(f.Units[unit].Qualified, ".")
	return f.Language == "rust" && strings.HasSuffix(module, "tests")
}

// Does returns a line without comments and with single spaces, or "" if nothing else is on it.
func (r *Reading) Does(line int) string {
	if line < 1 {
		return ""
	}
	return OneLine(r.Bare[line-1])
}

// Depth returns how far a line is indented, in bytes.
func (r *Reading) Depth(line int) int {
	return len(r.Raw[line-1]) - len(strings.TrimLeft(r.Raw[line-1], " \t"))
}

// Tested returns what condition i of a unit tests. subject is the subject of the switch that a case belongs to. For the
// switch itself both are "".
func (r *Reading) Tested(u Unit, i int) (subject, value string) {
	c := u.Facts.Conditions[i]
	switch c.Word {
	case "switch", "match", "select":
		return "", ""
	case "while":
		if strings.EqualFold(c.Text, "true") {
			return "", ""
		}
	case "case", "when":
		for k := i - 1; k >= 0; k-- {
			over := u.Facts.Conditions[k]
			if slices.Contains([]string{"switch", "match"}, over.Word) && r.Depth(over.Line) <= r.Depth(c.Line) {
				// In Go, a statement may precede the subject, followed by a semicolon.
				return strings.TrimSpace(over.Text[strings.LastIndex(over.Text, ";")+1:]), c.Text
			}
		}
	}
	return "", c.Text
}

// Governs reports whether a line of a unit is reached under a condition: it is on the condition's line, or inside its
// block.
func (r *Reading) Governs(c Condition, line int) bool {
	if c.Line >= line {
		return c.Line == line
	}
	for n := c.Line + 1; n <= line; n++ {
		if (n == line || r.Does(n) != "") && r.Depth(n) <= r.Depth(c.Line) {
			return false // its block ended
		}
	}
	return true
}

var (
	// filters are SQL words whose condition selects rows; nothing is done after it.
	filters = lazyregexp.New(`(?i)^(?:where|check|having)$`)
	// step is a line that is a statement by itself: not just a bracket, and not continued on the next line.
	step = lazyregexp.New(`^[\pL_$*(].*[^{(\[,.:=+\\]$`)
	// another is a line where the next case begins.
	another = lazyregexp.New(`^(?:case|default|when|else)\b`)
	// departs is a line that ends its function.
	departs = lazyregexp.New(`^(?:return|throw|raise|panic|abort)\b`)
	// structure is a line that says nothing by itself.
	structure = lazyregexp.New(`^[})\]\s]*(?:import\b.*|package\b.*|using [\w.]+;|from \S+ import.*|use [\w:{}, ]+;` +
		`|try|begin|else|end|return|break|continue|default)?\s*[:{;(]*$|^\W*case\b.*:$|^\w+\??: [\w.<>\[\]]+,?$|^[\w'"-]+: ?[{(\[]$|^(?:className|class|style)=|^\).*(?:\{|:|=>)$|^[})\]]+(?:\.\w+\(\))+[?;,]*$|^</?\w[^<>]*>$`)
	// body is the expression on the line that declares its function.
	body = lazyregexp.New(`=> ?([^\s{].*)$|\{ ?return (\S.*)\}$`)
	// brackets is a line whose statement continues within brackets, except those of a block.
	brackets = lazyregexp.New(`[(\[]$|[(,] ?\{$|\(.*,$|^return\b.*[\w}] ?\{$`)
	// opensBlock is a line that opens another block, or that only ends one.
	opensBlock = lazyregexp.New(`^(?:if|for|while|unless|switch|match|try|begin|with|end|elsif|elif|rescue|except|ensure|finally` +
		`|catch|break)\b`)
	// closes is what follows an action on its line.
	closes = lazyregexp.New(`(?:\s*(?:\}?\s*\b(?:else|ELSE|END)\b.*|\}|\bend\b|,))+$`)
	// opens is what may come between a condition and its action.
	opens = lazyregexp.New(`^(?:[)\s{:,]|=>|->|then\b|THEN\b|do\b)*`)
	logs  = lazyregexp.New(`(?i)^(?:await )?(?:[\w.$@]*\blog(?:ger|ging)?(?:\(\))?\.\w+|console\.\w+|(?:tracing::|log::)?(?:trace|debug|info|warn|error)!` +
		`|e?print(?:ln|f)?!?|fmt\.print\w*|puts|system\.(?:out|err)\.\w+)\b`)
)

var (
	// wordy is a line with content: three letters in a row, a digit, or two Japanese characters.
	wordy = lazyregexp.New(`[\p{Latin}]{3}|\d|[\p{Han}\p{Hiragana}\p{Katakana}]{2}`)
	// joint is where a condition continues on the next line.
	joint = lazyregexp.New(`(?:&&|\|\|)\n|\n(?:&&|\|\|)`)
	// enumerates begins a type whose members are its meaning.
	enumerates = lazyregexp.New(`(?i:\benum\b)|^(?:export )?type \w+ = [^{]*$|^const \($`)
	// listed is how the languages list values or build them from literals.
	listed = lazyregexp.New(`^(?:[\[{(]|&\[|vec!|%[wi]|(?:new )?\w*[sS]et\(|Object\.freeze\(|\w*\[[^\]]*\]\w+\{).*[\])}]$|^\w+\([^()]*\)$`)
)

// Says reports whether a line says something by itself.
func (r *Reading) Says(line int) bool {
	does := r.Does(line)
	return wordy().MatchString(does) && !structure().MatchString(does) && !joint().MatchString(r.Does(line-1)+"\n"+does)
}

// Body returns the expression that a function returns on the line that declares it, or "".
func (r *Reading) Body(u Unit) string {
	found := body().FindStringSubmatch(r.Does(u.Decl))
	if found == nil || u.Kind != Function && u.Kind != Method {
		return ""
	}
	return strings.TrimRight(found[1]+found[2], "; ")
}

// Limits, in bytes, of an enumeration and of a list of values that are read as a whole.
const (
	maxWhole = 400
	maxTable = 200
)

// Whole returns an enumeration on one line, or "" for any other unit.
func (r *Reading) Whole(u Unit) string {
	if u.Kind != Type && u.Kind != Constant || !enumerates().MatchString(r.Does(u.Decl)) {
		return ""
	}
	whole := OneLine(strings.Join(r.Bare[u.Decl-1:u.Last], " "))
	if len(whole) > maxWhole {
		return ""
	}
	return whole
}

// Values returns the constants of a unit. A short list of values is one constant.
func (r *Reading) Values(u Unit) []NamedValue {
	if len(u.Facts.Constants) > 0 || u.Kind != Constant || u.Name == "_" {
		return u.Facts.Constants
	}
	_, value, _ := strings.Cut(strings.Join(r.Raw[u.Decl-1:u.Last], " "), "=")
	value = Statement(OneLine(value))
	if value == "" || len(value) > maxTable || !listed().MatchString(value) || strings.Contains(value, " = ") {
		return nil
	}
	return []NamedValue{{Line: u.Decl, Name: u.Name, Value: value}}
}

// Statement returns a line without the sign that ends its statement.
func Statement(line string) string { return strings.TrimSuffix(line, ";") }

// Behind returns the first statements after a condition of a unit, or none if its block has none. Logging counts only
// if nothing else is done.
func (r *Reading) Behind(u Unit, c Condition) []string {
	if filters().MatchString(c.Word) {
		return nil
	}
	rest, from := r.beside(u, c)
	if rest != "" {
		return []string{Statement(rest)}
	}
	var logged []string
	depth := 0 // of the logging call
	for n := from + 1; n <= u.Last; n++ {
		switch does := r.Does(n); {
		case does == "" || does == "{" || logged != nil && (r.Depth(n) > depth || structure().MatchString(does) &&
			!departs().MatchString(does)):
		case r.Depth(n) <= r.Depth(c.Line) || another().MatchString(does):
			return logged
		case logs().MatchString(does):
			if logged == nil {
				logged = []string{Statement(does)}
			}
			depth = r.Depth(n)
		default:
			return append([]string{Statement(r.Stated(n))}, r.second(u, n)...)
		}
	}
	return logged
}

// beside returns what follows a condition on its last line, without brackets.
func (r *Reading) beside(u Unit, c Condition) (rest string, last int) {
	const most = 10 // maximum number of lines of a condition
	for last, does := c.Line, ""; last <= min(u.Last, c.Line+most); last++ {
		does = strings.TrimSpace(does + " " + r.Does(last))
		for _, joint := range []string{" ", " (", "("} {
			if _, rest, ok := strings.Cut(does, c.Word+joint+c.Text); ok {
				rest = closes().ReplaceAllString(rest[len(opens().FindString(rest)):], "")
				if strings.Trim(rest, "();") == "" {
					rest = ""
				}
				return rest, last
			}
		}
	}
	return "", c.Line
}

// Limits of the lines that belong to a statement.
const (
	statementLines = 10
	followingLines = 2
	commentLines   = 4
)

// Stated returns the statement that begins on a line, with the lines within its brackets.
func (r *Reading) Stated(line int) string {
	does := r.Does(line)
	if !brackets().MatchString(does) {
		return does
	}
	for n := line + 1; open(does) > 0 && n <= min(line+statementLines, len(r.Raw)); n++ {
		if r.Does(n) == "" {
			continue
		}
		if r.Depth(n) < r.Depth(line) {
			break
		}
		if does += " " + r.Does(n); r.Depth(n) == r.Depth(line) {
			break
		}
	}
	return does
}

// open returns the number of brackets in a text that are not closed.
func open(s string) (n int) {
	for _, c := range s {
		n += strings.Count("([{", string(c)) - strings.Count(")]}", string(c))
	}
	return n
}

// IsStep reports whether a line is a statement by itself.
func IsStep(line string) bool { return step().MatchString(line) }

// second returns the second statement of a block if it and the first are each on one line.
func (r *Reading) second(u Unit, first int) []string {
	for n := first + 1; n <= u.Last; n++ {
		switch does := r.Does(n); {
		case does == "":
		case r.Depth(n) == r.Depth(first) && step().MatchString(r.Does(first)) && step().MatchString(does) &&
			!another().MatchString(does) && !opensBlock().MatchString(does):
			return []string{Statement(does)}
		default:
			return nil
		}
	}
	return nil
}

// Span returns the lines of the statement that a line belongs to.
func (r *Reading) Span(line int) (first, last int) {
	first, last = line, line
	if does := r.Does(line); strings.ContainsAny(does[:min(1, len(does))], ")}]") {
		for first > 1 && line-first < statementLines && (first == line || r.Depth(first) > r.Depth(line)) {
			first--
		}
	}
	for last < len(r.Raw) && last-line < followingLines && r.Depth(last+1) > r.Depth(line) {
		last++
	}
	return first, last
}

// Commented returns the first line of the comment above a line, or the line itself.
func (r *Reading) Commented(line int) int {
	first := line
	for first > 1 && line-first < commentLines && r.Does(first-1) == "" && r.Raw[first-2] != "" {
		first--
	}
	return first
}

// sentence is a string with content: two words, or Japanese.
var sentence = lazyregexp.New(`"([^"]*[\p{L}\d] \p{L}[^"]*|[^"]*[\p{Han}\p{Hiragana}][^"]*)"|'([^']*[\p{L}\d] \p{L}[^']*|[^']*[\p{Han}\p{Hiragana}][^']*)'`)

// Message returns the first sentence in the statement of a line, or "".
func (r *Reading) Message(line int) string {
	first, last := r.Span(line)
	if found := sentence().FindStringSubmatch(OneLine(strings.Join(r.Bare[first-1:last], " "))); found != nil {
		return cmp.Or(found[1], found[2])
	}
	return ""
}
