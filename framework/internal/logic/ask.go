package logic

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/sagasu-search/sagasu/framework/internal/logic/repo"
	"github.com/sagasu-search/sagasu/framework/internal/logic/scope"
)

// Searcher looks for evidence.
type Searcher interface {
	// Find gives the evidence for a question; errors are faults.
	Find(ctx context.Context, r FindRequest) (Found, error)
}

// Asker answers questions from evidence. It never searches.
type Asker struct {
	Files    Files
	Globs    repo.Globs
	Answerer Answerer // nil is Extractive
}

// Ask answers a question. Errors are faults about the arguments, and those of ctx.
func (a Asker) Ask(ctx context.Context, r AskRequest) (Answer, error) {
	if err := r.Check(a.Globs); err != nil {
		return Answer{}, err
	}
	say := wordingOf(r.Question)
	if class := scope.Outside(r.Question); class != "" {
		return without(OutOfScope, say.outside(class), "out_of_scope:"+string(class)), nil
	}
	evidence, unknowns, err := fresh(ctx, a.Files, r.Evidence)
	switch {
	case err != nil:
		return Answer{}, err
	case len(evidence) == 0 && len(r.Evidence) == 0:
		return without(Insufficient, say.insufficient(), "no_evidence"), nil
	case len(evidence) == 0:
		return without(Insufficient, say.insufficient(), unknowns...), nil
	}
	return a.answer(ctx, r.Question, evidence, unknowns)
}

// without is an answer that claims nothing.
func without(status Status, text string, unknowns ...string) Answer {
	return Answer{Answer: text, Evidence: []Ground{}, Unknowns: unknowns, Status: status}
}

// answer words what fresh evidence says. Contradictions are told whatever the answerer says.
func (a Asker) answer(ctx context.Context, question string, evidence []material, unknowns []string) (Answer, error) {
	say, found := wordingOf(question), mismatches(evidence)
	all := claims(question, evidence)
	unknowns = append(unknowns, gaps(question, evidence, all)...)
	m := Material{Question: question, Japanese: say.japanese, Claims: all}
	worded, err := a.word(ctx, m)
	if err != nil && ctx.Err() != nil {
		return Answer{}, err
	} else if err != nil {
		unknowns = append(unknowns, "answerer_failed")
		worded, _ = Extractive{}.Word(ctx, m) // which has no failures
	}
	for _, dropped := range worded.Dropped {
		unknowns = append(unknowns, "unbacked:"+shorten(dropped))
	}
	for _, c := range found.claims(say) {
		worded.Statements = append(worded.Statements, Statement{c.Text, []int{len(m.Claims)}})
		m.Claims = append(m.Claims, c)
	}
	return Answer{
		Answer: worded.text(), Evidence: grounds(worded, m.Claims), Confidence: confidence(evidence, len(found.Code) > 0),
		SpecMismatch: len(found.Code) > 0, Unknowns: append(unknowns, found.unknowns()...), Status: OK,
	}, nil
}

// errNothing is a wording without a statement.
var errNothing = errors.New("no statement of the answer is backed by evidence")

func (a Asker) word(ctx context.Context, m Material) (Wording, error) {
	if a.Answerer == nil {
		return Extractive{}.Word(ctx, m)
	}
	w, err := a.Answerer.Word(ctx, m)
	if err == nil && len(w.Statements) == 0 {
		err = errNothing
	}
	if err != nil {
		return w, fmt.Errorf("word the answer: %w", err)
	}
	return w, nil
}

func confidence(evidence []material, mismatch bool) float64 {
	code, spec := 0, 0
	for _, m := range evidence {
		if m.Kind == Code {
			code++
		} else {
			spec++
		}
	}
	return Confidence(code, spec, mismatch)
}

// grounds are the lines behind the statements, each line and statement once.
func grounds(w Wording, claims []Claim) []Ground {
	all, seen := []Ground{}, map[string]bool{}
	for _, s := range w.Statements {
		for _, i := range s.Claims {
			c := claims[i]
			key := fmt.Sprint(c.Path, ":", c.Line, " ", s.Text)
			if !seen[key] {
				seen[key] = true
				all = append(all, Ground{c.Kind, c.Path, &c.Line, s.Text})
			}
		}
	}
	return all
}

// gaps are what the question asks for and the evidence does not tell.
func gaps(question string, evidence []material, claims []Claim) []string {
	all := []string{}
	if !slices.ContainsFunc(evidence, func(m material) bool { return m.Kind == Code }) {
		all = append(all, "no_code_evidence")
	}
	if !slices.ContainsFunc(evidence, func(m material) bool { return m.Relevance >= HighRelevance }) {
		all = append(all, "low_relevance")
	}
	if intent(question) == Failure && !slices.ContainsFunc(claims, func(c Claim) bool { return c.Sort == Failure }) {
		all = append(all, "no_failure_in_evidence")
	}
	return all
}
