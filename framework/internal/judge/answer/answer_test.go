package answer

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/framework/internal/judge/section"
	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/text"
)

// input returns a query and sections, each written "heading | text".
func input(query string, sections ...string) *Input {
	norm := text.Fold(query)
	in := &Input{Query: sdk.Query{Raw: query, Text: norm}}
	t := text.Text{Norm: norm}
	for run := range text.Runs(&t) {
		if word := norm[run.Start:run.End]; run.Class != text.Hiragana && !text.EnglishStop(word) {
			in.Query.Terms = append(in.Query.Terms, sdk.Term{Text: word, Kind: sdk.TermSoft, Weight: 1})
		}
	}
	for i, s := range sections {
		heading, body, _ := strings.Cut(s, " | ")
		in.Evidences = append(in.Evidences, section.Section{
			ManualID: "m", Path: fmt.Sprintf("%d.md", i), StartLine: 3, TextLine: 4, Heading: heading, Text: body,
		})
	}
	in.WithoutIndex()
	return in
}

func judge(t testing.TB, in *Input) *Judgement {
	t.Helper()
	out, err := Judge(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// Ready reports whether the query is answered: a sentence answers it, nothing is missing, and one of the first sections
// is almost certainly relevant.
func (j *Judgement) Ready() bool {
	return j.Answer != nil && len(j.Gaps) == 0 && j.Stands >= LeastStands
}

func TestReady(t *testing.T) {
	sure := Judgement{Answer: &Answer{}, Stands: LeastStands}
	for name, tc := range map[string]struct {
		change func(*Judgement)
		want   bool
	}{
		"an answer that stands": {func(*Judgement) {}, true},
		"no answer":             {func(j *Judgement) { j.Answer = nil }, false},
		"a gap":                 {func(j *Judgement) { j.Gaps = []Gap{{}} }, false},
		"an unsure section":     {func(j *Judgement) { j.Stands = LeastStands - .01 }, false},
	} {
		j := sure
		tc.change(&j)
		if got := j.Ready(); got != tc.want {
			t.Errorf("%s: ready %t", name, got)
		}
	}
}

func TestAnImageDoesNotAnswer(t *testing.T) {
	const answer, query = "The warranty of a disk is 24 months.", "how long is the warranty of a disk"
	for body, want := range map[string]bool{answer: true, "![" + answer + "](a.png)": false} {
		j := judge(t, input(query, "Warranty | "+body, "Other | The tape is blue."))
		if got := j.Answer != nil; got != want {
			t.Errorf("%s answers: %t", body, got)
		}
	}
}

func TestNothingRelatedIsNotReady(t *testing.T) {
	for _, query := range []string{"flurb the quandle", "もけもけ星人のぬるぽ", "?", ""} {
		j := judge(t, input(query, "Fares | A bicycle costs $5.", "料金 | 自転車は500円です。"))
		if j.Ready() || j.Answer != nil {
			t.Errorf("%q is answered: %+v", query, j.Answer)
		}
	}
	if j := judge(t, input("What does a bicycle cost?")); j.Ready() || len(j.Relevance) > 0 {
		t.Errorf("without sections: %+v", j)
	}
}

func TestWeightsFitTheFeatures(t *testing.T) {
	m := weights()
	for name, tc := range map[string]struct {
		model    *model
		features []string
		bias     int
	}{
		"sentence": {&m.Sentence, sentenceFeatures, 0}, "right": {&m.Right, verdictFeatures, 1},
		"stands": {&m.Stands, verdictFeatures, 1}, "relevance": {&m.Relevance, relevanceFeatures, 1},
		"missing": {&m.Missing, missingFeatures, 1}, "facet": {&m.Facet, facetFeatures, 1},
	} {
		if diff := cmp.Diff(tc.features, tc.model.Features[tc.bias:]); diff != "" || len(tc.model.Weights) != len(tc.model.Features) {
			t.Errorf("%s: %d weights, features -code +data:\n%s", name, len(tc.model.Weights), diff)
		}
	}
}

func TestACancelledJudgementFails(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Judge(ctx, input("a bicycle", "Fares | A bicycle costs $5.")); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

// TestCostIsBounded counts allocations: texts beyond the limits cost no more than the limits allow.
func TestCostIsBounded(t *testing.T) {
	for name, unit := range map[string]string{
		"sentences": "A bicycle costs $5 a day. ", "one word": "bicycle", "rows": "| bicycle | 5 |\n", "numbers": "5 - ",
		"Japanese": "自転車は500円です。", "marks": "「（", "spaces": " ", "questions": "自転車ですか。",
	} {
		cost := func(n int) float64 {
			fares := "Fares | " + strings.Repeat(unit, n)
			in := input("What does a bicycle cost for 5 days? 自転車はいくらですか")
			for range 60 {
				in.Evidences = append(in.Evidences, section.Section{Heading: "Fares", Text: fares, Score: 1})
			}
			return testing.AllocsPerRun(1, func() {
				if _, err := Judge(t.Context(), in); err != nil {
					t.Fatal(err)
				}
			})
		}
		if once, more := cost(10_000), cost(40_000); more > 1.1*once+50 {
			t.Errorf("%s: %.0f allocations, four times the text %.0f", name, once, more)
		}
	}
}

// Words that nothing holds are looked for in the query as it writes them.
func TestCostOfALongQueryIsBounded(t *testing.T) {
	cost := func(n int) float64 {
		var kanji strings.Builder
		for i := range n {
			kanji.WriteRune('一' + rune(7*i))
		}
		in := input(strings.Repeat("ヌ", n)+" の "+kanji.String()+"は何ですか", "Fares | A bicycle costs $5 a day.")
		return testing.AllocsPerRun(1, func() {
			if j := judge(t, in); len(j.Missing) != 2 {
				t.Fatalf("missing %q", j.Missing)
			}
		})
	}
	if once, more := cost(50), cost(200); more > 5*once {
		t.Errorf("%.0f allocations, four times the query %.0f", once, more)
	}
}

func FuzzJudge(f *testing.F) {
	f.Add("料金はいくらですか", "料金", "1台500円です。\n| a | b |\n|---|---|\n| 1 | 2 |", "カヌー")
	f.Add(".5 inch", "", "5.\n- .\n?", "")
	f.Add("何", "か", "か。", "何")
	f.Add("\xff how 1,", "x", "\xff\xfe 1,. ", "\xff")
	f.Fuzz(func(t *testing.T, query, heading, body, term string) {
		in := input(query, heading+" | "+body, body, "か | "+heading)
		in.Query.Terms = append(in.Query.Terms, sdk.Term{Text: text.Fold(term), Kind: sdk.TermMust})
		in.Nearest = func(word string) (string, bool) { meant, _, ok := strings.Cut(body, " "); return meant, ok }
		j := judge(t, in)
		probability := func(p float64) {
			if !(p >= 0 && p <= 1) {
				t.Errorf("probability %v", p)
			}
		}
		probability(j.Stands)
		for _, p := range j.Relevance {
			probability(p)
		}
		for _, g := range j.Gaps {
			probability(g.Probability)
		}
		if a := j.Answer; a != nil {
			probability(a.Probability)
			if a.Evidence >= len(in.Evidences) || a.Line < in.Evidences[a.Evidence].StartLine || utf8.RuneCountInString(a.Text) > longestAnswer {
				t.Errorf("answer %+v", a)
			}
		}
	})
}

// TestReadingIsBounded counts what is read of many very long sections.
func TestReadingIsBounded(t *testing.T) {
	for _, unit := range []string{"a bicycle ", "A. ", "自転車。", "自"} {
		in := input("What does a bicycle cost?")
		for range 100 {
			in.Evidences = append(in.Evidences, section.Section{Text: strings.Repeat(unit, 20_000), Score: 1})
		}
		r, err := read(t.Context(), in)
		if err != nil {
			t.Fatal(err)
		}
		size := 0
		for i := range r.units {
			size += len(r.units[i].text)
		}
		if len(r.sections) != 10 || len(r.units) > 400 || size == 0 || size > 10*4096 {
			t.Errorf("%q: %d sections, %d units, %d bytes", unit, len(r.sections), len(r.units), size)
		}
	}
}

func TestJudgementsShareNoTokens(t *testing.T) {
	body := strings.Repeat("and many other acronyms that nobody asks for, ", 8)
	var group sync.WaitGroup
	for i := range 8 {
		group.Go(func() {
			word := strings.Repeat("x", i+1) + "ing"
			in := input("acronym of "+word, "Names | The acronym of "+word+", "+body+" is ViB.", "More | None of "+body)
			for range 20 {
				if _, err := Judge(t.Context(), in); err != nil {
					t.Error(err)
				}
				if likely, err := Likely(t.Context(), in); err != nil || len(likely) != 2 || likely[0] != 1 {
					t.Errorf("likely %v %v", likely, err)
				}
			}
		})
	}
	group.Wait()
}
