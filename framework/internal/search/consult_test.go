package search

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/framework/internal/host"
	"github.com/sagasu-search/sagasu/framework/internal/judge"
	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/sdktest"
)

// judging adds a judge to fakes.
type judging struct {
	fakes
	judge func(*sdk.Request) (*sdk.Result, error)
}

func (j judging) Strategies(ctx context.Context) ([]sdk.Description, []host.Failure) {
	all, failed := j.fakes.Strategies(ctx)
	return append(all, sdk.Description{Name: "judge", Stage: sdk.StageJudge, Weight: 1}), failed
}

func (j judging) Search(ctx context.Context, name string, req *sdk.Request) (*sdk.Result, error) {
	if name == "judge" {
		return j.judge(req)
	}
	return j.fakes.Search(ctx, name, req)
}

// quoting returns a quote of the passage of a file.
func quoting(req *sdk.Request, path, text string) sdk.Quote {
	for _, p := range req.Passages {
		if p.Path == path {
			return sdk.Quote{Section: p.Section, Text: text}
		}
	}
	return sdk.Quote{}
}

// A judge's answers and tensions replace those of the rules, and get the lines that they are on.
func TestJudgesAreHeard(t *testing.T) {
	const question = "return an item within how many days"
	for name, tc := range map[string]struct {
		says      func(*sdk.Request) *sdk.Result
		answer    string
		tensions  []string
		conflicts int
	}{
		"both": {
			says: func(req *sdk.Request) *sdk.Result {
				a, b := quoting(req, "b.md", "within 14 days"), quoting(req, "a.md", "within 30 days")
				return &sdk.Result{
					Answers:  []sdk.Answer{{Quote: a, Probability: .9}, {Quote: b, Probability: .6}},
					Tensions: []sdk.Tension{{A: a, B: b, Kind: sdk.TensionScope, Probability: .85}},
				}
			},
			answer: "b.md:6 within 14 days", tensions: []string{"scope a.md:2 b.md:6"}, conflicts: 1,
		},
		"a doubtful contradiction is no conflict": {
			says: func(req *sdk.Request) *sdk.Result {
				a, b := quoting(req, "a.md", "30"), quoting(req, "b.md", "14")
				return &sdk.Result{Answers: []sdk.Answer{}, Tensions: []sdk.Tension{{A: a, B: b, Kind: sdk.TensionNumber, Probability: .7}}}
			},
			tensions: []string{"number a.md:2 b.md:6"},
		},
		"nothing": {says: func(*sdk.Request) *sdk.Result {
			return &sdk.Result{Answers: []sdk.Answer{}, Tensions: []sdk.Tension{}}
		}},
		"an answer that is not likely": {says: func(req *sdk.Request) *sdk.Result {
			a := sdk.Answer{Quote: quoting(req, "a.md", "30"), Probability: .3}
			return &sdk.Result{Answers: []sdk.Answer{a}, Tensions: []sdk.Tension{}}
		}},
	} {
		t.Run(name, func(t *testing.T) {
			e := engine(t, disputedRows(), judging{fakes{list: []words{exact}}, func(req *sdk.Request) (*sdk.Result, error) {
				if len(req.Passages) != len(req.Pool) || !strings.Contains(req.Passages[0].Text, "return an item") || req.Query.Raw != question {
					t.Errorf("%+v", req)
				}
				res := tc.says(req)
				res.Finished = true
				return res, nil
			}})
			e.build = judge.Build
			req := request(question)
			req.Passages = 3
			got, err := find(t, e, req)
			if err != nil || len(got.Warnings) > 0 {
				t.Fatalf("%+v, %v", got, err)
			}
			answer := ""
			if a := got.AnsweredBy; a != nil {
				answer = fmt.Sprintf("%s:%d %s", a.Path, a.Line, a.Text)
			}
			if answer != tc.answer {
				t.Errorf("answered by %q, want %q", answer, tc.answer)
			}
			var tensions []string
			for _, x := range got.Tensions {
				tensions = append(tensions, fmt.Sprintf("%s %s:%d %s:%d", x.Kind, x.A.Path, x.A.Line, x.B.Path, x.B.Line))
			}
			if diff := cmp.Diff(tc.tensions, tensions); diff != "" {
				t.Errorf("tensions (-want +got):\n%s", diff)
			}
			if got.Summary.ConflictCount != tc.conflicts || tc.answer == "" && !slices.Contains(got.Summary.StatusReasons, statusNothing) {
				t.Errorf("%+v", got.Summary)
			}
		})
	}
}

// A judge reads several parts of a JSON file, and may quote any of them.
func TestJudgesReadPartsOfAJSONFile(t *testing.T) {
	body := strings.Repeat(strings.Repeat("return an item\n", 100)+strings.Repeat("filler\n", 400), 20) + "return in 30 days\n"
	shelf := []sdktest.Section{{Manual: "m", Path: "a.json", Line: 1, Heading: "a", Body: body}}
	e := engine(t, shelf, judging{fakes{list: []words{exact}}, func(req *sdk.Request) (*sdk.Result, error) {
		a := sdk.Answer{Quote: sdk.Quote{Section: req.Passages[0].Section, Text: "return in 30 days"}, Probability: .9}
		return &sdk.Result{Answers: []sdk.Answer{a}, Tensions: []sdk.Tension{}, Finished: true}, nil
	}})
	e.build = judge.Build
	req := request("return in how many days")
	req.Passages = 3
	got, err := find(t, e, req)
	if err != nil || len(got.Warnings) > 0 || got.AnsweredBy == nil || got.AnsweredBy.Line != strings.Count(body, "\n") {
		t.Fatalf("%+v, %+v, %v", got, got.AnsweredBy, err)
	}
	for _, a := range got.NextActions {
		if a.Type == "manual_read" && a.Confidence == nil {
			t.Errorf("no confidence of %+v", a)
		}
	}
}

// If a judge fails or does not answer, the rules decide. A failure adds a warning.
func TestJudgesCostNothingButThemselves(t *testing.T) {
	req := request("return an item within how many days")
	req.Passages = 3
	for name, judge := range map[string]func(*sdk.Request) (*sdk.Result, error){
		"silent":  func(*sdk.Request) (*sdk.Result, error) { return &sdk.Result{Finished: true}, nil },
		"failing": func(*sdk.Request) (*sdk.Result, error) { return nil, errors.New("no model") },
		"broken":  func(*sdk.Request) (*sdk.Result, error) { panic("no model") },
	} {
		t.Run(name, func(t *testing.T) {
			want, err := find(t, engine(t, disputedRows(), fakes{list: []words{exact}}), req)
			if err != nil {
				t.Fatal(err)
			}
			got, err := find(t, engine(t, disputedRows(), judging{fakes{list: []words{exact}}, judge}), req)
			if err != nil {
				t.Fatal(err)
			}
			var warnings []string
			if name != "silent" {
				warnings = []string{"strategy judge did not contribute: it failed, the log says why"}
			}
			if diff := cmp.Diff(append([]string{}, warnings...), got.Warnings); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(want.Summary, got.Summary); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(want.Tensions, got.Tensions); diff != "" {
				t.Error(diff)
			}
		})
	}
}
