package answer

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/sagasu-search/sagasu/framework/internal/logic/evidence"
	"github.com/sagasu-search/sagasu/framework/internal/logic/rule"
	"github.com/sagasu-search/sagasu/framework/internal/logic/spec"
	"github.com/sagasu-search/sagasu/sdk/x/lazyregexp"
)

// Limits of an answer.
const (
	maxCode = 5 // statements of code
	maxSpec = 2 // statements of specifications
	// maxListed is the maximum of each kind including constants and the statements that use them.
	maxListed = 12
)

// candidate is a claim with its features.
type candidate struct {
	Claim
	named  float64 // share of the question that its lines and the comment above them name
	typed  bool    // it has the requested type of answer
	inside bool    // it is in a unit of the evidence
	score  float64
}

// logit weighs the features. The weights were fitted to lines that decide questions on foreign repositories
// (docs/measurements/2026-11-23-wild.md). relevance is that of the best item of its file.
func (c candidate) logit(relevance evidence.Score) float64 {
	z := 5.2*c.named + 2*float64(relevance)
	if c.typed {
		z += 5.5
	}
	if !c.plain {
		z += 1.4
	}
	return z
}

// nearBest is how far a statement may score below the best of its kind.
const nearBest = 2

// elsewhere is the share of the question that a line must name if it is outside the units of the evidence.
const elsewhere = .4

// claims returns the statements that best answer a question: code before specifications, grouped by file.
func (r *ranking) claims() []Claim {
	return append(r.best(evidence.Code, maxCode), r.best(evidence.Spec, maxSpec)...)
}

// ranking ranks what the files of the evidence say about a question.
type ranking struct {
	words []word
	asks  asked
	files []*file
	texts []rule.Words // the lines of all files
	all   []candidate
	// constants are the constants that the files state, whether the question asks for them or not.
	constants []Claim
}

// newRanking reads and ranks what files say. It is incomplete if ctx ends.
func newRanking(ctx context.Context, question string, files []*file) *ranking {
	r, values := &ranking{words: words(question), asks: askedOf(question), files: files}, map[string]string{}
	for _, f := range files {
		if ctx.Err() != nil {
			return r
		}
		f.said = f.claims()
		for _, line := range f.Raw {
			f.lines = append(f.lines, read(line))
		}
		r.texts = append(r.texts, f.lines...)
		for _, c := range f.said {
			if c.constant != "" {
				values[c.constant] = c.Text
				r.constants = append(r.constants, c)
			}
		}
	}
	weigh(r.words, r.texts)
	for _, f := range r.files {
		for _, c := range f.said {
			resolved := c.Text
			for _, name := range c.names() {
				resolved += " " + values[name]
			}
			x := candidate{Claim: c, inside: f.covers(c.Line)}
			x.named, x.typed = named(r.words, f.says(c)), r.asks.holds(c, resolved)
			if x.inside || x.named >= elsewhere {
				x.score = x.logit(f.relevance)
				r.all = append(r.all, x)
			}
		}
	}
	r.silence()
	slices.SortStableFunc(r.all, func(a, b candidate) int { return cmp.Compare(b.score, a.score) })
	return r
}

// silence drops plain lines without the requested type of answer if another claim of their file decides something.
func (r *ranking) silence() {
	decided := map[string]bool{}
	for _, c := range r.all {
		decided[c.Path] = decided[c.Path] || !c.plain && c.constant == "" && c.inside
	}
	r.all = slices.DeleteFunc(r.all, func(c candidate) bool { return c.plain && !c.typed && decided[c.Path] })
}

// best returns the best statements of a kind: files in order of their best statement, statements in order of lines.
func (r *ranking) best(kind evidence.Kind, most int) []Claim {
	all, files, seen := []Claim{}, map[string]int{}, map[string]bool{}
	take := func(c Claim) {
		if seen[c.Text] = true; files[c.Path] == 0 {
			files[c.Path] = len(files) + 1
		}
		all = append(all, c)
	}
	leading := r.leading(kind)
	for _, c := range r.all {
		if c.Kind == kind && !seen[c.Text] && len(all) < most &&
			c.score >= leading.score-nearBest && !slices.ContainsFunc(all, c.within) {
			take(c.Claim)
		}
	}
	for _, c := range r.all { // statements that use the constants
		if c.Kind == kind && c.inside && !seen[c.Text] && len(all) < maxListed && files[c.Path] > 0 &&
			slices.ContainsFunc(all, c.uses) {
			take(c.Claim)
		}
	}
	for _, c := range r.constants {
		if c.Kind == kind && !seen[c.Text] && len(all) < maxListed &&
			slices.ContainsFunc(all, func(o Claim) bool { return o.uses(c) }) {
			take(c)
		}
	}
	slices.SortStableFunc(all, func(a, b Claim) int {
		return cmp.Or(cmp.Compare(files[a.Path], files[b.Path]), cmp.Compare(a.Line, b.Line))
	})
	return all
}

// leading returns the best candidate of a kind, or an empty one if there is none.
func (r *ranking) leading(kind evidence.Kind) candidate {
	for _, c := range r.all {
		if c.Kind == kind {
			return c
		}
	}
	return candidate{}
}

// within reports whether a claim repeats a line that another claim already includes.
func (c Claim) within(o Claim) bool {
	return c.plain && o.Path == c.Path && strings.Contains(o.Text, c.does)
}

// uses reports whether a claim names a constant that another one states.
func (c Claim) uses(o Claim) bool {
	return o.constant != "" && c.constant == "" && slices.Contains(c.names(), o.constant)
}

var identifier = lazyregexp.New(`[\pL_$][\pL\d_$]*`)

func (c Claim) names() []string { return identifier().FindAllString(c.Text, -1) }

// quotation matches the parts of a claim that come from its line.
var quotation = lazyregexp.New("`[^`]+`|“[^”]+”.*|「[^」]+」.*")

// says returns what a claim's lines, the comment above them and its own wording say.
func (f *file) says(c Claim) []rule.Words {
	first, last := c.Line, c.Line
	if c.Kind == evidence.Code {
		first, last = f.Span(c.Line)
		first = f.Commented(first)
	}
	own := read(strings.Join(quotation().FindAllString(c.Text, -1), " "))
	return append(f.lines[first-1:last:last], own)
}

// named returns the weighted share of the question that texts name.
func named(asked []word, texts []rule.Words) (sum float64) {
	for _, w := range asked {
		best := 0.0
		for _, s := range texts {
			best = max(best, w.match(s))
		}
		sum += w.weight * best
	}
	return sum
}

// read returns the ideas of a line. It drops "return ", which is not about giving something back.
func read(line string) rule.Words { return rule.Ideas(strings.ReplaceAll(line, "return ", " ")) }

// covers reports whether a line is in a unit of the evidence or in a constant that such a unit uses.
func (f *file) covers(line int) bool {
	within := func(first, last int) bool { return first <= line && line <= last }
	return slices.ContainsFunc(f.places, func(place int) bool {
		if f.kind == evidence.Spec {
			return slices.ContainsFunc(f.specs, func(u spec.Unit) bool {
				return u.First <= place && place <= u.Last && within(u.First, u.Last)
			})
		}
		own, at := f.Innermost[place], f.Innermost[line]
		if own < 0 {
			return line == place
		}
		unit := f.Units[own]
		return within(unit.First, unit.Last) || at >= 0 && slices.Contains(unit.Facts.Uses, f.Units[at].Name)
	})
}
