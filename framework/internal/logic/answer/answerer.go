package answer

import (
	"context"
	"strings"
)

// Answerer words an answer from claims.
type Answerer interface {
	// Word chooses and words statements; each names the claims that back it.
	Word(ctx context.Context, m Material) (Wording, error)
}

// Material is all that an answer may rest on.
type Material struct {
	Question string
	Japanese bool
	Claims   []Claim
}

// Wording is an answer in statements.
type Wording struct {
	Statements []Statement
	// Dropped are statements that no claim backs.
	Dropped []string
}

// Statement is a sentence of an answer.
type Statement struct {
	Text   string
	Claims []int // those that back it, by their index
}

// Extractive is the answerer that repeats the claims.
type Extractive struct{}

// Word implements [Answerer].
func (Extractive) Word(_ context.Context, m Material) (Wording, error) {
	w := Wording{}
	for i, c := range m.Claims {
		w.Statements = append(w.Statements, Statement{c.Text, []int{i}})
	}
	return w, nil
}

// text returns the answer as one text, a statement a line.
func (w Wording) text() string {
	lines := []string{}
	for _, s := range w.Statements {
		if len(lines) == 0 || lines[len(lines)-1] != s.Text {
			lines = append(lines, s.Text)
		}
	}
	return strings.Join(lines, "\n")
}
