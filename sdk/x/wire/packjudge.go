package wire

import (
	"fmt"
	"strings"

	"github.com/sagasu-search/sagasu/sdk"
	pb "github.com/sagasu-search/sagasu/sdk/x/wire/strategypb"
)

func packPassages(passages []sdk.Passage) []*pb.Passage {
	var out []*pb.Passage
	for _, p := range passages {
		out = append(out, &pb.Passage{
			Section: p.Section, Path: valid(p.Path), Heading: valid(p.Heading), Text: valid(p.Text),
		})
	}
	return out
}

func unpackPassages(in []*pb.Passage) []sdk.Passage {
	var out []sdk.Passage
	for _, p := range in {
		out = append(out, sdk.Passage{
			Section: p.GetSection(), Path: p.GetPath(), Heading: p.GetHeading(), Text: p.GetText(),
		})
	}
	return out
}

// packAnswers distinguishes nil from an empty list, and keeps no reference to memory of the snapshot.
func packAnswers(answers []sdk.Answer) *pb.Answers {
	if answers == nil {
		return nil
	}
	out := &pb.Answers{}
	for _, a := range answers {
		out.Sections = append(out.Sections, a.Section)
		out.Texts = append(out.Texts, strings.Clone(valid(a.Text)))
		out.Probabilities = append(out.Probabilities, a.Probability)
	}
	return out
}

// mostJudged is one more answer, or tension, than the rules allow, which is enough to break them.
const mostJudged = sdk.MaxVerdicts + 1

func unpackAnswers(in *pb.Answers) ([]sdk.Answer, error) {
	if in == nil {
		return nil, nil
	}
	n := len(in.Probabilities)
	if len(in.Sections) != n || len(in.Texts) != n {
		return nil, fmt.Errorf("answers: %w", errColumns)
	}
	out := []sdk.Answer{}
	for i := range min(n, mostJudged) {
		out = append(out, sdk.Answer{
			Quote: sdk.Quote{Section: in.Sections[i], Text: in.Texts[i]}, Probability: in.Probabilities[i],
		})
	}
	return out, nil
}

// packTensions distinguishes nil from an empty list, and keeps no reference to memory of the snapshot.
func packTensions(tensions []sdk.Tension) *pb.Tensions {
	if tensions == nil {
		return nil
	}
	out := &pb.Tensions{}
	for _, t := range tensions {
		for _, q := range [...]sdk.Quote{t.A, t.B} {
			out.Sections = append(out.Sections, q.Section)
			out.Texts = append(out.Texts, strings.Clone(valid(q.Text)))
		}
		out.Kinds = append(out.Kinds, valid(string(t.Kind)))
		out.Probabilities = append(out.Probabilities, t.Probability)
	}
	return out
}

func unpackTensions(in *pb.Tensions) ([]sdk.Tension, error) {
	if in == nil {
		return nil, nil
	}
	n := len(in.Probabilities)
	if len(in.Sections) != 2*n || len(in.Texts) != 2*n || len(in.Kinds) != n {
		return nil, fmt.Errorf("tensions: %w", errColumns)
	}
	quote := func(i int) sdk.Quote { return sdk.Quote{Section: in.Sections[i], Text: in.Texts[i]} }
	out := []sdk.Tension{}
	for i := range min(n, mostJudged) {
		out = append(out, sdk.Tension{
			A: quote(2 * i), B: quote(2*i + 1), Kind: sdk.TensionKind(in.Kinds[i]), Probability: in.Probabilities[i],
		})
	}
	return out, nil
}
