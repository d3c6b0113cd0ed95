package rule

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/sagasu-search/sagasu/framework/internal/logic/code"
	"github.com/sagasu-search/sagasu/sdk/x/lazyregexp"
)

// How close to a value of code stands what is not on its line.
const (
	closeCondition = .8 // a line that the line is nested in
	closeUnit      = .7 // the names of the unit and of what encloses it
	closeNeighbour = .6 // the lines before and behind, and a comment above
	closePath      = .5
)

// maxValues bounds the values of a line or a paragraph; one of more is a table of data.
const maxValues = 32

// Code reads the values of a cut file.
func Code(file string, src []byte, f code.File) []Rule {
	o := &program{path: file, raw: lines(src), bare: bare(src, f), unit: make([]*code.Unit, len(lines(src)))}
	for i := range f.Units { // an inner unit stands behind the one around it
		for n := f.Units[i].First; n <= min(f.Units[i].Last, len(o.unit)); n++ {
			o.unit[n-1] = &f.Units[i]
		}
	}
	all := []Rule{}
	for n := range o.bare {
		values := slices.Concat(numbers(o.bare[n]), statuses(o.bare[n]), flags(o.bare[n]))
		u := o.unit[n]
		if u == nil || len(values) == 0 || len(values) > maxValues ||
			f.Language == "rust" && strings.HasPrefix(u.Qualified, "tests") {
			continue
		}
		around := o.said(n)
		for _, r := range values {
			r.Path, r.Name, r.Line, r.Text = file, u.Name, n+1, oneLine(o.raw[n])
			r.said = around
			all = append(all, r)
		}
	}
	return all
}

// bare returns the lines without comments and without strings that go over several of them.
func bare(src []byte, f code.File) []string {
	f.Comments = append(slices.Clone(f.Comments), f.Texts...)
	all := lines(f.Uncommented(src))
	for i, line := range all {
		if f.Language == "text" && commented().MatchString(line) {
			all[i] = ""
		}
	}
	return all
}

// commented is a line of a language that is not known which is a comment in most.
var commented = lazyregexp.New(`^\s*(?://|#|--|\*|;)`)

// program is a file of code by its lines.
type program struct {
	path      string
	raw, bare []string     // the lines, and without comments
	unit      []*code.Unit // the innermost of each line, nil where none is
}

func lines(src []byte) []string {
	return strings.Split(strings.ReplaceAll(string(src), "\r\n", "\n"), "\n")
}

// nested is how many lines above a line are looked through for what it is nested in.
const nested = 200

// said returns what stands around line n, from 0.
func (p *program) said(n int) said {
	s, u := said{}, p.unit[n]
	s.add(p.raw[n], 1)
	for i, depth := n-1, indent(p.bare[n]); i >= max(u.Decl, n-nested) && depth > 0; i-- {
		if d := indent(p.bare[i]); d < depth && strings.TrimSpace(p.bare[i]) != "" {
			depth = d
			s.add(p.raw[i], closeCondition)
		}
	}
	s.add(u.Name+" "+u.Qualified, closeUnit)
	for i := n - 1; i >= max(0, n-4) && (i == n-1 || strings.TrimSpace(p.bare[i]) == ""); i-- {
		s.add(p.raw[i], closeNeighbour)
	}
	for _, line := range p.raw[n+1 : min(n+3, len(p.raw))] {
		s.add(line, closeNeighbour)
	}
	s.add(strings.TrimSuffix(p.path, path.Ext(p.path)), closePath)
	return s
}

func indent(line string) int { return len(line) - len(strings.TrimLeft(line, " \t")) }

var (
	prose   = lazyregexp.New("\"(?:[^\"\\\\]|\\\\.)*\"|'(?:[^'\\\\]|\\\\.)*'|`[^`]*`")
	sized   = lazyregexp.New("^.\\d[\\d_]*(?:\\.\\d+)?\\s?[A-Za-z%/]{0,8}.$") // "15m"
	product = lazyregexp.New(`(?:^|[^\w.\-])(\d[\d_]*(?:\.\d+)?(?:[a-z]{1,2}\b)?(?:\s*\*\s*[\w.]+)*)(?:\.([a-z]+)\b)?`)
	markup  = lazyregexp.New(`^\s*</?[A-Za-z]|\bassert|\bclassName=|^\s*(?:import|using|from)\b`)
	name    = lazyregexp.New(`[A-Za-z_]\w*`)
)

// operand ends before a number that something is computed with.
var operand = lazyregexp.New(`[\w)\]]\s*[*/+-]\s*$`)

// place ends before a number that tells which of several: row.get(4), row[4].
var place = lazyregexp.New(`\.get\(\s*$|[\w)\]]\[\s*$`)

// listing ends before a number that may be one of several.
var listing = lazyregexp.New(`\[[\s\d.,]*$`)

// told is how many bytes before a number tell what it is of.
const told = 100

// numbers reads the numbers of a line of code. A string counts that is nothing else, such as "15m".
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
		before := line[max(0, at[2]-told):at[2]]
		named := name().FindAllString(before[strings.LastIndexAny(before, ",;&|?")+1:], -1)
		slices.Reverse(named)
		q, ok := evaluate(line[at[2]:at[3]])
		if !ok || operand().MatchString(before) || place().MatchString(before) {
			continue
		}
		if at[4] >= 0 {
			named = []string{line[at[4]:at[5]]}
		}
		for _, n := range named {
			if u, ok := nameUnit(n); ok && q.Dim == "" {
				q.Value, q.Dim = q.Value*u.factor, u.dim
			}
		}
		if q.Dim == "" && strings.Contains(line[at[2]:at[3]], "1024") {
			q.Dim = "bytes"
		}
		listed := listing().MatchString(before) && strings.HasPrefix(strings.TrimSpace(line[at[3]:]), ",")
		if listed || answers && isStatus(q) {
			continue
		}
		all = append(all, Rule{Kind: Number, Amount: q, role: roleOf(Apart(before)), setting: givenTo(whole[:at[2]])})
	}
	return all
}

// calling is what a name of a status stands in, other than an import.
var calling = lazyregexp.New(`[(.:=]|\b(?:throw|raise|return|new)\b`)

var (
	// A three-digit number may be a status on a line that may fail, and is no amount on one that answers.
	mayFail   = lazyregexp.New(`(?i)status|http|respon|abort|throw|raise|error|fail`)
	answering = lazyregexp.New(`(?i)status|http|respon|abort|throw|raise`)
	paging    = lazyregexp.New(`(?i)page_?size|per_?page`)
)

var threeDigits = lazyregexp.New(`(?:^|[^\w.\-])([1-5]\d\d)(?:[^\w.]|$)`)

// statuses reads the HTTP statuses of a line of code, as numbers and as names.
func statuses(line string) []Rule {
	all := []Rule{}
	add := func(status int) {
		if status >= 400 && !slices.ContainsFunc(all, func(r Rule) bool { return r.Status == status }) {
			all = append(all, Rule{Kind: Status, Status: status})
		}
	}
	if !calling().MatchString(line) {
		return nil
	}
	for _, word := range name().FindAllString(prose().ReplaceAllString(line, " "), -1) {
		add(code.Status(word))
	}
	if mayFail().MatchString(line) {
		for _, number := range threeDigits().FindAllStringSubmatch(prose().ReplaceAllString(line, " "), -1) {
			status, _ := strconv.Atoi(number[1])
			add(status)
		}
	}
	return all
}
