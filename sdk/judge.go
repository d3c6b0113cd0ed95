package sdk

import (
	"strings"

	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// Passage is a section as a judge reads it. A judge is a [Strategy] of [StageJudge]. Once the final order is known,
// it reads [Request.Passages] and returns [Result.Answers], [Result.Tensions] or both, with no candidates. The host
// rejects a result whose quotes are not in their passages, since a language model may have made them up.
type Passage struct {
	// Section is the section's id in the request's snapshot.
	Section uint32
	Path    string
	// Heading is the heading path, its titles joined by " > ".
	Heading string
	// Text is the section's own text as written, cut at [MaxPassage].
	Text string
}

// Limits on the input and output of a judge.
const (
	// MaxPassages is the maximum number of passages in a request.
	MaxPassages = 10
	// MaxPassage is the maximum number of bytes of a passage's text.
	MaxPassage = 8 << 10
	// MaxVerdicts is the maximum number of answers, and of tensions, in a result.
	MaxVerdicts = 10
)

// Passages returns the first sections of a pool as a judge receives them, for tests.
func Passages(corpus *snapshot.Snapshot, pool []Candidate) []Passage {
	out := []Passage{}
	for _, c := range pool[:min(MaxPassages, len(pool))] {
		section, _ := corpus.Section(c.Section)
		body := corpus.Source(c.Section, snapshot.FieldBody)
		out = append(out, Passage{
			Section: c.Section, Path: section.Path, Heading: corpus.Source(c.Section, snapshot.FieldHeading),
			Text: strings.ToValidUTF8(body[:min(MaxPassage, len(body))], ""),
		})
	}
	return out
}

// Quote is text copied from a passage, byte for byte.
type Quote struct {
	Section uint32
	Text    string
}

// Answer is a sentence, table row, list item or setting that gives what the query asks for.
type Answer struct {
	Quote
	// Probability that it answers, in [0, 1].
	Probability float64
}

// Tension is a pair of quotes from different sections that a reader should compare: both are relevant to the query,
// are about the same thing, and differ.
type Tension struct {
	A, B Quote
	Kind TensionKind
	// Probability that they contradict each other, in [0, 1]. The host asserts a conflict from
	// 0.8 on.
	Probability float64
}

// TensionKind says how two quotes differ.
type TensionKind string

const (
	TensionNumber     TensionKind = "number"
	TensionPolarity   TensionKind = "polarity" // one affirms what the other denies
	TensionException  TensionKind = "exception"
	TensionDate       TensionKind = "date"
	TensionProcedure  TensionKind = "procedure"
	TensionScope      TensionKind = "scope"
	TensionDefinition TensionKind = "definition"
)

// TensionKinds returns all kinds.
func TensionKinds() []TensionKind {
	return []TensionKind{
		TensionNumber, TensionPolarity, TensionException, TensionDate, TensionProcedure, TensionScope,
		TensionDefinition,
	}
}
