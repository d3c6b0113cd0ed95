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

// Bounds of an answer.
const (
	maxCode = 5 // statements of code
	maxSpec = 2 // statements of specifications
	// maxListed bounds them with the constants that they use, and what uses these.
	maxListed = 12
)

// candidate is a claim with its features.
type candidate struct {
	Claim
	named  float64 // the share of the question that its lines and the comment above name
	typed  bool    // it holds what is asked for
	inside bool    // it stands in a unit of the evidence
	score  float64
}

// logit weighs what was fitted to lines that decide questions on foreign repositories
// (docs/measurements/2026-11-23-wild.md); relevance is that of the best item of its file.
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

// nearBest is how far behind the best of its kind a statement may score.
const nearBest = 2

// elsewhere is the share of the question that a line must name outside of the units of the evidence.
const elsewhere = .4

// claims returns the statements that answer a question best, code before specifications, those of
// a file together.
func (r *ranking) claims() []Claim {
	return append(r.best(evidence.Code, maxCode), r.best(evidence.Spec, maxSpec)...)
}

// ranking orders what the files of the evidence say by a question.
type ranking struct {
	words []word
	asks  asked
	files []*file
	texts []rule.Words // the lines of all files
	all   []candidate
	// constants are those that the files of the evidence state, asked for or not.
	constants []Claim
}

// newRanking reads and orders what files say; it is short when ctx ends.
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

// best returns the best statements of a kind, files in order of their best and each in order of lines.
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
	for _, c := range r.all { // what uses the constants
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

// leading returns the best candidate of a kind, an empty one where none is of it.
func (r *ranking) leading(kind evidence.Kind) candidate {
	for _, c := range r.all {
		if c.Kind == kind {
			return c
		}
	}
	return candidate{}
}

// within reports whether a claim is a line of what another one tells.
func (c Claim) within(o Claim) bool {
	return c.plain && o.Path == c.Path && strings.Contains(o.Text, c.does)
}

// uses reports whether a claim names a constant that another one states.
func (c Claim) uses(o Claim) bool {
	return o.constant != "" && c.constant == "" && slices.Contains(c.names(), o.constant)
}

var identifier = lazyregexp.New(`[\pL_$][\pL\d_$]*`)

func (c Claim) names() []string { return identifier().FindAllString(c.Text, -1) }

// quotation is what a claim has from its line, between the words of an answer.
var quotation = lazyregexp.New("`[^`]+`|“[^”]+”.*|「[^」]+」.*")

// says returns what the lines of a claim, the comment above and its wording say.
func (f *file) says(c Claim) []rule.Words {
	first, last := c.Line, c.Line
	if c.Kind == evidence.Code {
		first, last = f.Span(c.Line)
		first = f.Commented(first)
	}
	own := read(strings.Join(quotation().FindAllString(c.Text, -1), " "))
	return append(f.lines[first-1:last:last], own)
}

// named returns the share of the words that texts name.
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

// read returns the ideas of a line; what code returns is nothing given back.
func read(line string) rule.Words { return rule.Ideas(strings.ReplaceAll(line, "return ", " ")) }

// covers reports whether a unit of the evidence, or a constant that it uses, holds a line.
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
