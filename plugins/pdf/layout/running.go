package layout

import (
	"cmp"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

const (
	edge        = 0.14 // share of a page's height in which running lines may be, at the top and at the bottom
	edgeLines   = 3    // maximum number of running lines, at the top and at the bottom
	edgeGap     = 0.5  // minimum gap between them and the text, in type sizes
	placeSlip   = 3.0  // maximum difference in points between pages in the position of a running line
	placeShare  = 0.5  // share of pages with a running line from which every line in its position is one
	neighbours  = 8    // number of pages before and after on which a running line may be repeated
	ofPages     = 3    // minimum number of nearby pages with their number in the same position
	leaderLines = 3    // minimum number of lines with dot leaders in a table of contents
	leaderGap   = 4    // maximum distance in lines between two of them, for entries of several lines
)

var (
	digits = regexp.MustCompile(`\p{N}+`)
	folio  = regexp.MustCompile(`(?i)^[\pP\pZ\pS]*(page|p\.)?\s*([0-9]{1,4}|[ivxlc]{1,7})` +
		`(\s*(/|of)\s*[0-9]{1,4})?[\pP\pZ\pS]*$`)
	outerNo = regexp.MustCompile(`^[0-9]{1,4}\b|\b[0-9]{1,4}$`)
	entry   = regexp.MustCompile(`\s([0-9]{1,4}|[ivxlc]{1,7})$`)
	leaders = regexp.MustCompile(`(\s?[.．…‥·・]){4,}\s*`)
)

// withoutRunning drops headers, footers, page numbers, and tables of contents with page numbers, which repeat the
// headings.
func withoutRunning(sheets []Sheet) []Sheet {
	type place struct {
		below bool
		y     int
	}
	outer := make([][]*line, len(sheets))
	at := func(l *line, s *Sheet) (place, bool) {
		y := centre(l.box.Y0, l.box.Y1)
		p := place{y > s.height/2, int(math.Round(y / placeSlip))}
		return p, y < edge*s.height || y > (1-edge)*s.height
	}
	for i := range sheets {
		outer[i] = outermost(&sheets[i])
	}
	nearby := func(i int, l *line, alike func(k int, o *line) bool) (n int) { // pages with such a line at that place
		for k := max(0, i-neighbours); k <= min(len(sheets)-1, i+neighbours); k++ {
			if k != i && slices.ContainsFunc(outer[k], func(o *line) bool {
				return abs(o.box.Y0-l.box.Y0) <= placeSlip && alike(k, o)
			}) {
				n++
			}
		}
		return n
	}
	same := func(i int, l *line) bool {
		text, need := masked(l.text()), 1
		if ends := outer[i]; l != ends[0] && l != ends[len(ends)-1] { // a heading may be repeated below a running line
			need = max(1, min(ofPages, len(sheets)/2))
		}
		return nearby(i, l, func(_ int, o *line) bool { return masked(o.text()) == text }) >= need
	}
	body, _ := bodyStyle(sheets)
	shift := pageShifts(sheets, outer)
	numbered := func(i int) (out *line) { // the line with the page number, beside a title that may differ on each page
		has := func(k int, o *line) bool { return slices.Contains(shifts(&sheets[k], o), shift[i]) }
		most := ofPages - 1
		for _, l := range outer[i] {
			if l.size < body.size*larger && has(i, l) {
				if n := nearby(i, l, has); n > most {
					most, out = n, l
				}
			}
		}
		return out
	}
	running := map[*line]bool{}
	count := map[place]int{}
	for i := range sheets {
		number := numbered(i)
		for _, l := range outer[i] {
			if p, ok := at(l, &sheets[i]); ok && (folio.MatchString(l.text()) || same(i, l) || l == number) {
				running[l] = true
				count[p]++
			}
		}
	}
	for i := range sheets {
		for _, l := range outer[i] {
			p, ok := at(l, &sheets[i])
			if ok && len(sheets) > 4 && float64(count[p]) >= placeShare*float64(len(sheets)) {
				running[l] = true
			}
		}
	}
	out := make([]Sheet, len(sheets))
	for i, s := range sheets {
		out[i] = s
		out[i].lines = nil
		contents := contents(s.lines)
		for k := range s.lines {
			if l := &s.lines[k]; !running[l] && !contents[k] {
				out[i].lines = append(out[i].lines, *l)
			}
		}
	}
	return out
}

// contents returns which lines are entries of a table of contents: those with dot leaders, lines between them, and
// adjacent lines that end in a page number.
func contents(lines []line) []bool {
	out := make([]bool, len(lines))
	for from := 0; from < len(lines); {
		if !leads(&lines[from]) {
			from++
			continue
		}
		to, n := from, 0
		for k := from; k < len(lines) && k-to <= leaderGap; k++ {
			if leads(&lines[k]) {
				to, n = k, n+1
			}
		}
		if n < leaderLines {
			from = to + 1
			continue
		}
		for from > 0 && entry.MatchString(lines[from-1].text()) {
			from--
		}
		for to+1 < len(lines) && entry.MatchString(lines[to+1].text()) {
			to++
		}
		for k := from; k <= to; k++ {
			out[k] = true
		}
		from = to + 1
	}
	return out
}

// outermost returns the lines of a page that may be running: those at its ends that are separated from the others by a
// gap.
func outermost(s *Sheet) []*line {
	all := make([]*line, len(s.lines))
	for i := range s.lines {
		all[i] = &s.lines[i]
	}
	slices.SortStableFunc(all, func(a, b *line) int { return cmp.Compare(a.box.Y0, b.box.Y0) })
	apart := func(i int) bool { // from the line before
		return i <= 0 || i >= len(all) || all[i].box.Y0-all[i-1].box.Y1 > edgeGap*min(all[i].size, all[i-1].size)
	}
	above, below := 0, len(all)
	for i := 1; i <= min(edgeLines, len(all)); i++ {
		if apart(i) {
			above = i
		}
		if apart(len(all) - i) {
			below = len(all) - i
		}
	}
	return slices.Concat(all[:above], all[max(above, below):])
}

// pageShifts returns, for each sheet, the difference between printed page number and sheet number that most
// surrounding sheets have. A majority is needed since footnote numbers may match for a few sheets.
func pageShifts(sheets []Sheet, outer [][]*line) []int {
	out := make([]int, len(sheets))
	for i := range sheets {
		count := map[int]int{}
		for k := max(0, i-neighbours); k <= min(len(sheets)-1, i+neighbours); k++ {
			var on []int
			for _, l := range outer[k] {
				on = append(on, shifts(&sheets[k], l)...)
			}
			slices.Sort(on)
			for _, n := range slices.Compact(on) {
				if count[n]++; count[n] > count[out[i]] || count[n] == count[out[i]] && n > out[i] {
					out[i] = n
				}
			}
		}
	}
	return out
}

// shifts returns the differences between the numbers at the ends of a line and the number of its sheet.
func shifts(s *Sheet, l *line) (out []int) {
	for _, no := range outerNo.FindAllString(strings.TrimSpace(l.text()), -1) {
		if n, err := strconv.Atoi(no); err == nil {
			out = append(out, n-s.number)
		}
	}
	return out
}

func masked(s string) string { return digits.ReplaceAllString(s, "0") }

// leads reports whether a line has dot leaders from an entry to its page.
func leads(l *line) bool {
	text := strings.TrimSpace(l.text())
	at := leaders.FindAllStringIndex(text, -1)
	if len(at) == 0 {
		return false
	}
	return folio.MatchString(text[at[len(at)-1][1]:]) || at[len(at)-1][1] == len(text)
}

// fold returns only letters and digits, in one form.
func fold(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || r == '+' || r == '#' {
			return unicode.ToLower(r)
		}
		return -1
	}, norm.NFKC.String(s))
}
