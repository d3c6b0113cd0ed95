package rule

import (
	"slices"
	"strings"

	"github.com/sagasu-search/sagasu/framework/internal/logic/code"
	"github.com/sagasu-search/sagasu/framework/internal/quantity"
	"github.com/sagasu-search/sagasu/sdk/x/lazyregexp"
)

// maxValues is the maximum number of values on a line or in a paragraph; one with more is a table of data.
const maxValues = 32

// Code returns the values in a file. It ignores strings that span several lines.
func Code(file string, src []byte, f code.Reading) []Rule {
	f.Comments = slices.Concat(f.Comments, f.Texts)
	all := []Rule{}
	for n, line := range code.Lines(f.Uncommented(src)) {
		at := f.Innermost[n+1]
		if at < 0 || f.Tests(at) {
			continue
		}
		values := append(numbers(line), flags(line)...)
		if len(values) > maxValues {
			continue
		}
		for _, r := range values {
			r.Path, r.Name, r.Line, r.Text = file, f.Units[at].Name, n+1, code.OneLine(f.Raw[n])
			all = append(all, r)
		}
	}
	return all
}

var (
	prose   = lazyregexp.New("\"(?:[^\"\\\\]|\\\\.)*\"|'(?:[^'\\\\]|\\\\.)*'|`[^`]*`")
	sized   = lazyregexp.New("^.\\d[\\d_]*(?:\\.\\d+)?\\s?[A-Za-z%/]{0,8}.$") // "15m"
	product = lazyregexp.New(`(?:^|[^\w.\-])(\d[\d_]*(?:\.\d+)?(?:[a-z]{1,2}\b)?(?:\s*\*\s*[\w.]+)*)(?:\.([a-z]+)\b)?`)
	markup  = lazyregexp.New(`^\s*</?[A-Za-z]|\bassert|\bclassName=|^\s*(?:import|using|from)\b`)
	name    = lazyregexp.New(`[A-Za-z_]\w*`)
)

// operand ends before a number that is part of a computation: n * 60, size / (1024, n.max(1).
var operand = lazyregexp.New(`[\w)\]]\s*[*/+-]\s*\(?$|\b(?:max|min|clamp)\(\s*$`)

// contextBefore is the number of bytes before a number that are searched for its subject.
const contextBefore = 100

// numbers returns the numbers on a line of code. A string counts if it is only a number, such as "15m".
func numbers(line string) []Rule {
	whole := line
	if !strings.ContainsAny(line, "0123456789") || markup().MatchString(line) || paging().MatchString(line) {
		return nil
	}
	line = prose().ReplaceAllStringFunc(line, func(s string) string {
		if sized().MatchString(s) {
			return s
		}
		return strings.Repeat(" ", len(s))
	})
	all, answers := []Rule{}, answering().MatchString(line)
	for _, at := range product().FindAllStringSubmatchIndex(line, -1) {
		before := line[max(0, at[2]-contextBefore):at[2]]
		named := name().FindAllString(before[strings.LastIndexAny(before, ",;&|?")+1:], -1)
		a, ok := evaluate(line[at[2]:at[3]])
		if !ok || operand().MatchString(before) {
			continue
		}
		if at[4] >= 0 {
			named = []string{line[at[4]:at[5]]}
		}
		for _, n := range slices.Backward(named) {
			if u, ok := nameUnit(n); ok && a.Dimension == "" {
				scale(&a, u)
			}
		}
		if a.Dimension == "" && strings.Contains(line[at[2]:at[3]], "1024") {
			a.Unit, _ = quantity.Named("byte")
		}
		a.High = a.Value
		if answers && isStatus(&a) {
			continue
		}
		r := Rule{Kind: Number, Amount: a, role: roleOf(Apart(before))}
		if given := givenTo(whole[max(0, at[2]-contextBefore):at[2]]); given != "" {
			r.setting, r.subject = foldName(given), Read(given)
		} else if m := compared().FindStringSubmatch(before); m != nil {
			r.subject = Read(m[1])
		}
		all = append(all, r)
	}
	return all
}

var (
	// A three-digit number on a line that answers is not an amount: it may be a status.
	answering = lazyregexp.New(`(?i)status|http|respon|abort|throw|raise`)
	paging    = lazyregexp.New(`(?i)page_?size|per_?page`)
)
