package text

import "iter"

// RunClass is the script of a run.
type RunClass uint8

const (
	Han RunClass = iota + 1
	Hiragana
	Katakana
	Hangul
	Latin // a word of any alphabet with its digits and inner hyphens, underscores, dots and ::
	Digit // a number, dots between digits included
)

// Run is a maximal piece of one class. Start and End are bytes in Text.Norm.
type Run struct {
	Class      RunClass
	Start, End int
}

// Runs cuts t into its runs, in order. Characters of no class (spaces, punctuation, symbols)
// separate runs. The prolonged sound mark and combining marks belong to the run before them.
func Runs(t *Text) iter.Seq[Run] {
	return func(yield func(Run) bool) {
		c := cutter{s: t.Norm}
		for i := 0; i < len(c.s); {
			r, size := decode(c.s, i)
			run := Run{Start: i, End: i + size, Class: scriptOf(r)}
			switch kindOf(r) {
			case kindCJK:
				run.End = scriptEnd(c.s, run.End, run.Class)
			case kindLetter, kindDigit:
				run.Class, run.End = Latin, c.scan(i)
				if isDigits(c.s[i:run.End]) {
					run.Class = Digit
				}
			}
			if run.Class != 0 && !yield(run) {
				return
			}
			i = run.End
		}
	}
}

// scriptEnd returns the end of the run of a CJK script that continues at i.
func scriptEnd(s string, i int, class RunClass) int {
	for i < len(s) {
		r, size := decode(s, i)
		if scriptOf(r) != class && r != 'ー' && kindOf(r) != kindMark {
			break
		}
		i += size
	}
	return i
}
