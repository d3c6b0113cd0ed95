package answer

import (
	"context"
	"fmt"
	"slices"

	"github.com/sagasu-search/sagasu/framework/internal/logic/evidence"
	"github.com/sagasu-search/sagasu/framework/internal/logic/repo"
	"github.com/sagasu-search/sagasu/framework/internal/logic/scope"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// Asker answers questions from evidence. It never searches.
type Asker struct {
	Files    repo.Files
	Globs    repo.Globs
	Answerer Answerer // if nil, answers repeat the claims
}

// Ask answers a question from items that package toolset has decoded. Errors concern their paths, or are the error of
// ctx.
func (a Asker) Ask(ctx context.Context, question string, items []evidence.Evidence) (Answer, error) {
	items, err := checkPaths(items, a.Globs)
	if err != nil {
		return Answer{}, err
	}
	lang := wordingOf(question)
	if class := scope.Outside(question); class != "" {
		return without(OutOfScope, lang.say(class), "out_of_scope:"+class), nil
	}
	found, unknowns, err := fresh(ctx, a.Files, lang, items)
	switch {
	case err != nil:
		return Answer{}, err
	case len(items) == 0:
		return without(Insufficient, lang.say("insufficient"), "no_evidence"), nil
	case len(found) == 0:
		return without(Insufficient, lang.say("insufficient"), unknowns...), nil
	}
	return a.answer(ctx, question, lang, found, unknowns)
}

// without returns an answer that claims nothing.
func without(status Status, text string, unknowns ...string) Answer {
	return Answer{Answer: text, Evidence: []Ground{}, Unknowns: unknowns, Status: status}
}

// answer words what fresh evidence says. It states contradictions even if the answerer does not.
func (a Asker) answer(ctx context.Context, question string, lang wording, files []*file,
	unknowns []string) (Answer, error) {
	r := newRanking(ctx, question, files)
	all := r.claims()
	found, err := r.mismatches(ctx, all)
	if err != nil {
		return Answer{}, err
	}
	unknowns = append(unknowns, gaps(files)...)
	if len(all) == 0 {
		return without(Insufficient, lang.say("insufficient"), unknowns...), nil
	}
	worth := r.worth(all)
	if worth.missing {
		unknowns = append(unknowns, "missing:"+r.asks.name)
	}
	worded, told := extracts(all), all
	if a.Answerer != nil {
		switch w, err := a.Answerer.Word(ctx, Material{question, lang == 1, all}); {
		case ctx.Err() != nil:
			return Answer{}, ctx.Err()
		case err != nil || len(w.Statements) == 0:
			unknowns = append(unknowns, "answerer_failed")
		default:
			worded = w
		}
	}
	for _, dropped := range worded.Dropped {
		unknowns = append(unknowns, "unbacked:"+toolset.Shorten(dropped))
	}
	for _, c := range contradictionClaims(found, lang) {
		worded.Statements = append(worded.Statements, Statement{c.Text, []int{len(told)}})
		told = append(told, c)
	}
	mismatch := len(found.Code.Conflicts) > 0
	most := Confidence(items(files, evidence.Code), items(files, evidence.Spec), mismatch)
	return Answer{
		Answer: worded.text(), Evidence: grounds(worded, told),
		Confidence: min(most, worth.probability()), SpecMismatch: mismatch, Compared: found.Code.Pairs,
		Unknowns: append(unknowns, found.Unknowns()...), Status: OK,
	}, nil
}

// items counts the fresh items of evidence of a kind.
func items(files []*file, kind evidence.Kind) (n int) {
	for _, f := range files {
		if f.kind == kind {
			n += len(f.places)
		}
	}
	return n
}

// Confidence returns the maximum confidence in an answer that uses so many items of fresh evidence: 0 without any,
// otherwise .5, plus .1 for each item of code up to .3, plus .05 for each item of specifications up to .15, minus .25
// if the two contradict each other. See docs/reference/confidence.md.
func Confidence(code, spec int, mismatch bool) evidence.Score {
	if code+spec == 0 {
		return 0
	}
	percent := 50 + min(10*code, 30) + min(5*spec, 15) // whole percents add up without rounding errors
	if mismatch {
		percent -= 25
	}
	return evidence.Score(min(max(percent, 0), 100)) / 100
}

// grounds returns the lines behind the statements, each pair of line and statement once.
func grounds(w Wording, claims []Claim) []Ground {
	all, seen := []Ground{}, map[string]bool{}
	for _, s := range w.Statements {
		for _, i := range s.Claims {
			c := claims[i]
			key := fmt.Sprint(c.Path, ":", c.Line, " ", s.Text)
			if !seen[key] {
				seen[key] = true
				all = append(all, Ground{c.Kind, c.Path, new(evidence.Line(c.Line)), s.Text})
			}
		}
	}
	return all
}

// gaps returns what the evidence lacks.
func gaps(files []*file) []string {
	all := []string{}
	if items(files, evidence.Code) == 0 {
		all = append(all, "no_code_evidence")
	}
	if !slices.ContainsFunc(files, func(f *file) bool { return f.relevance >= evidence.HighRelevance }) {
		all = append(all, "low_relevance")
	}
	return all
}
