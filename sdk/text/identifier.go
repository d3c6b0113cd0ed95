package text

import "strings"

// part is a part of an identifier. Parts joined by case, and a number and its unit, have one run; runs
// joined by hyphens or underscores have one level.
type part struct{ start, end, run, level int }

// identifier cuts the identifier at start into words and wholes. Its last word may be joined with a following number:
// guide2 in userGuide 2.
func (c *cutter) identifier(start int) int {
	end := c.scan(start)
	parts := c.z.parts
	for k, p := range parts {
		word := c.s[p.start:p.end]
		c.form(c.z.term(clip(word)), Word, p.start, p.end)
		if k == 0 || parts[k-1].run != p.run || isDigits(c.s[parts[k-1].start:p.start]) {
			c.wholes(parts, k)
		}
		if word[0] == 'v' && strings.Contains(word, ".") { // a version: its number too
			c.form(c.z.term(clip(word[1:])), Word, p.start+1, p.end)
		} else if number, end := c.version(p); end > p.end { // python3.11: python and 3.11 too
			c.form(c.z.term(clip(c.s[p.start:number])), Word, p.start, number)
			c.form(c.z.term(clip(c.s[number:end])), Word, number, end)
		}
	}
	if last := parts[len(parts)-1]; len(parts) == 1 || isLower(c.s[last.start]) {
		c.together(last.start, end)
	}
	return end
}

// version returns the start and end of a dotted number whose first digits follow the letters of a part. If there is
// none, it ends at the end of the part.
func (c *cutter) version(p part) (start, end int) {
	word := c.s[p.start:p.end]
	letters := lettersEnd(word)
	if letters < 2 || letters == len(word) || !isNatural(word[letters:]) {
		return p.end, p.end
	}
	for end = p.end; end+1 < len(c.s) && c.s[end] == '.' && isDigit(c.s[end+1]); {
		next := alnumEnd(c.s, end+1)
		if !isNatural(c.s[end+1 : next]) {
			break
		}
		end = next
	}
	return p.start + letters, end
}

// Limits on a word and a number that may be written with or without a space between them.
const (
	mostLetters = 12 // of a word before a number
	mostDigits  = 4
	mostUnit    = 4 // letters of a unit after a number
)

// together joins the word or number at [start, end) with the number or word after a single space.
func (c *cutter) together(start, end int) {
	if end+1 >= len(c.s) || c.s[end] != ' ' || isDigit(c.s[start]) == isDigit(c.s[end+1]) {
		return
	}
	word := c.s[start:end]
	letters := lettersEnd(word)
	if letters > mostLetters || letters > 0 && letters < len(word) || !isNatural(word[letters:]) ||
		letters > 1 && EnglishStop(word) {
		return
	}
	after := alnumEnd(c.s, end+1)
	next := c.s[end+1 : after]
	switch {
	case next == "" || joins(c.s[after:]):
		return
	case letters > 0 && (len(next) > mostDigits || !isNatural(next)):
		return
	case letters == 0 && (len(next) > mostUnit || lettersEnd(next) < len(next) || EnglishStop(next)):
		return
	}
	c.z.joined = append(append(c.z.joined[:0], word...), next...)
	c.emit(c.z.joinedTerm(c.z.joined).stem, Variant, start, after)
}

// joins reports whether s starts with a further part of an identifier or a number.
func joins(s string) bool {
	n := joiner(s)
	if n == 0 || n == len(s) {
		return false
	}
	next, _ := decode(s, n)
	k := kindOf(next)
	return k == kindLetter || k == kindDigit
}

// lettersEnd returns the length of the ASCII letters at the start of s.
func lettersEnd(s string) int {
	for i := range len(s) {
		if !isLower(s[i]) {
			return i
		}
	}
	return len(s)
}

// isNatural reports whether s is ASCII digits only, or empty.
func isNatural(s string) bool {
	return strings.Trim(s, "0123456789") == ""
}

// wholes yields the joined tokens that start at part k: its run, or the part of it after a number; its level; and
// all parts.
func (c *cutter) wholes(parts []part, k int) {
	parts = parts[:min(len(parts), k+maxTerm+1)] // more would be too long to join
	run, level, all := k+1, k+1, k+1             // end indexes
	for run < len(parts) && parts[run].run == parts[k].run {
		run++
	}
	if k == 0 || parts[k-1].level != parts[k].level {
		for level < len(parts) && parts[level].level == parts[k].level {
			level++
		}
	}
	if k == 0 {
		all = len(parts)
	}
	joined := k + 1
	for _, end := range [3]int{run, level, all} {
		if end > joined {
			c.whole(parts[k:end])
			joined = end
		}
	}
}

// whole yields the parts joined.
func (c *cutter) whole(parts []part) {
	start, end := parts[0].start, parts[len(parts)-1].end
	joined := c.z.joined[:0]
	for _, p := range parts {
		if joined = append(joined, c.s[p.start:p.end]...); len(joined) > maxTerm {
			break
		}
	}
	c.z.joined = joined
	if len(joined) <= maxTerm {
		c.form(c.z.joinedTerm(joined), Whole, start, end)
	}
}

func (c *cutter) form(t term, class Class, start, end int) {
	c.emit(t.stem, class, start, end)
	if t.exact != "" {
		c.emit(t.exact, Exact, start, end)
	}
}

// scan finds the parts of the identifier at i, for a tokenizer, and returns where it ends.
func (c *cutter) scan(i int) int {
	if c.z != nil {
		c.z.parts = c.z.parts[:0]
	}
	for run, level := 0, 0; ; run++ {
		end := c.runEnd(i)
		if c.z != nil {
			c.split(part{i, end, run, level})
		}
		sep := joiner(c.s[end:])
		if sep == 0 || end+sep == len(c.s) {
			return end
		}
		next, _ := decode(c.s, end+sep)
		numbered := isDigits(c.s[i:end]) && c.s[end] == '.'
		if k := kindOf(next); k != kindLetter && k != kindDigit || numbered && k == kindLetter {
			return end
		}
		if b := c.s[end]; b == '.' || b == ':' {
			level++
		}
		i = end + sep
	}
}

// runEnd returns the end of the word at i, including dotted numbers, contractions, and the marks of c++ and c#.
func (c *cutter) runEnd(i int) int {
	end := alnumEnd(c.s, i)
	if end == i+1 {
		if n := letterMarks(c.s[end:]); n > 0 && isLower(c.s[i]) {
			return end + n
		}
	}
	for number := isNumber(c.s[i:end]); number && end+1 < len(c.s) && c.s[end] == '.' && isDigit(c.s[end+1]); {
		from := end + 1
		end = alnumEnd(c.s, from)
		number = isDigits(c.s[from:end])
	}
	return end + contraction(c.s[end:])
}

// split adds the parts of a run, cut between a number and its unit and at its humps.
func (c *cutter) split(p part) {
	cut := func(at int) {
		c.z.parts = append(c.z.parts, part{p.start, at, p.run, p.level})
		p.start = at
	}
	if n := unitAt(c.s[p.start:p.end]); n > 0 {
		cut(p.start + n)
	}
	for len(c.humps) > 0 && c.humps[0] < p.end {
		if h := c.humps[0]; h > p.start {
			cut(h)
		}
		c.humps = c.humps[1:]
	}
	cut(p.end)
}

// joiner returns the length of the mark at the start of s if it may join two parts of an identifier, else 0.
func joiner(s string) int {
	if s == "" {
		return 0
	}
	switch s[0] {
	case '-', '.':
		return 1
	case '_':
		return len(s) - len(strings.TrimLeft(s, "_"))
	}
	if strings.HasPrefix(s, "::") {
		return 2
	}
	return 0
}

// contraction returns the length of a contraction ('s, n't and the like) at the start of s, else 0.
func contraction(s string) int {
	if s == "" || s[0] != '\'' {
		return 0
	}
	end := alnumEnd(s, 1)
	switch s[1:end] {
	case "s", "t", "d", "m", "re", "ve", "ll":
		return end
	}
	return 0
}

// letterMarks returns the length of the ++ or # at the start of s that is part of a name of one letter before it
// (c++, c++20, f#), else 0.
func letterMarks(s string) int {
	switch {
	case strings.HasPrefix(s, "++"):
		return len("++")
	case strings.HasPrefix(s, "#") && alnumEnd(s, 1) == 1: // and not an anchor: a#b
		return len("#")
	}
	return 0
}

// alnumEnd returns the end of the letters, digits and marks from i on.
func alnumEnd(s string, i int) int {
	for i < len(s) {
		if b := s[i]; isLower(b) || isDigit(b) {
			i++
			continue
		}
		r, size := decode(s, i)
		if k := kindOf(r); k == kindOther || k == kindCJK {
			break
		}
		i += size
	}
	return i
}

// unitAt returns the length of the number at the start of s if a unit follows, as in 100mb and 2.5gb, else 0.
func unitAt(s string) int {
	n := 0
	for n < len(s) && (isDigit(s[n]) || s[n] == '.') {
		n++
	}
	if n == 0 || n == len(s) || strings.IndexFunc(s[n:], func(r rune) bool { return kindOf(r) != kindLetter }) >= 0 {
		return 0
	}
	return n
}

// isNumber reports whether s consists of digits with dots between them, optionally after a v.
func isNumber(s string) bool {
	return isDigits(strings.TrimPrefix(s, "v"))
}

func isDigits(s string) bool {
	for i := range len(s) {
		if !isDigit(s[i]) && (i == 0 || s[i] != '.') {
			return false
		}
	}
	return s != ""
}

// clip truncates a word to the maximum length of a term, at a character boundary.
func clip(w string) string {
	if len(w) <= maxTerm {
		return w
	}
	return w[:runeStart(w, maxTerm)]
}
