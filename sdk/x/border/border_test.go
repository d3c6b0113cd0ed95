package border_test

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/sdktest"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/x/border"
)

// describe returns a valid description, modified by change.
func describe(change func(*sdk.Description)) sdk.Description {
	d := sdk.Description{Name: "x", Stage: sdk.StageFill}
	change(&d)
	return d
}

func TestCheckDescription(t *testing.T) {
	if err := border.CheckDescription(describe(func(*sdk.Description) {})); err != nil {
		t.Error(err)
	}
	for what, change := range map[string]func(*sdk.Description){
		"name":   func(d *sdk.Description) { d.Name = "Y" },
		"stage":  func(d *sdk.Description) { d.Stage = "later" },
		"weight": func(d *sdk.Description) { d.Weight = math.NaN() },
		"minus":  func(d *sdk.Description) { d.Weight = -1 },
		"novel":  func(d *sdk.Description) { d.Version = strings.Repeat("x", border.MaxVersion+1) },
		"paint":  func(d *sdk.Description) { d.Version = "1\x1b[2J" },
		"many":   func(d *sdk.Description) { d.Signals = make([]string, border.MaxSignals+1) },
		"signal": func(d *sdk.Description) { d.Signals = []string{"no signal"} },
		"admits": func(d *sdk.Description) { d.Admitting = []string{"undeclared"} },
		"brief":  func(d *sdk.Description) { d.Summary = strings.Repeat("x", border.MaxSummary+1) },
		"lines":  func(d *sdk.Description) { d.License = "a\nb" },
		"schema": func(d *sdk.Description) { d.ConfigSchema = []byte("{") },
		"large":  func(d *sdk.Description) { d.ConfigSchema = []byte(`"` + strings.Repeat("x", border.MaxSchema) + `"`) },
		"kinds":  func(d *sdk.Description) { d.Corpora = make([]snapshot.Kind, border.MaxCorpora+1) },
	} {
		if rule(border.CheckDescription(describe(change))) != border.RuleDescription {
			t.Errorf("a bad %s passed", what)
		}
	}
}

// rule returns the rule that was broken according to an error.
func rule(err error) string {
	if b, ok := errors.AsType[*border.BreachError](err); ok {
		return b.Rule
	}
	return ""
}

func TestCheckResult(t *testing.T) {
	req := &sdk.Request{Corpus: sdktest.Snapshot(t, make([]sdktest.Section, 5)...), Limit: 2, Scope: roaring.BitmapOf(0, 1, 2)}
	one := func(c sdk.Candidate) *sdk.Result { return &sdk.Result{Candidates: []sdk.Candidate{c}} }
	for what, tc := range map[string]struct {
		res  *sdk.Result
		rule string
	}{
		"good":      {&sdk.Result{Candidates: []sdk.Candidate{{Section: 2, Score: 1, Coverage: 1, Signals: []string{"own"}}}, Matched: roaring.BitmapOf(2), Examined: 3, Confidence: 1}, ""},
		"none":      {nil, border.RuleResult},
		"nan":       {one(sdk.Candidate{Score: math.NaN()}), border.RuleScore},
		"minus":     {one(sdk.Candidate{Score: -1}), border.RuleScore},
		"coverage":  {one(sdk.Candidate{Coverage: 1.1}), border.RuleCoverage},
		"outside":   {one(sdk.Candidate{Section: 3}), border.RuleScope},
		"dead":      {one(sdk.Candidate{Section: 5}), border.RuleScope},
		"twice":     {&sdk.Result{Candidates: []sdk.Candidate{{Section: 1}, {Section: 1}}}, border.RuleDuplicate},
		"flood":     {&sdk.Result{Candidates: []sdk.Candidate{{Section: 0}, {Section: 1}, {Section: 2}}}, border.RuleLimit},
		"words":     {one(sdk.Candidate{Terms: make([]string, border.MaxTerms+1)}), border.RuleTerms},
		"signal":    {one(sdk.Candidate{Signals: []string{"other"}}), border.RuleSignals},
		"matched":   {&sdk.Result{Matched: roaring.BitmapOf(3)}, border.RuleMatched},
		"examined":  {&sdk.Result{Examined: 4}, border.RuleExamined},
		"sure":      {&sdk.Result{Confidence: 1.1}, border.RuleConfidence},
		"unasked":   {&sdk.Result{Expansion: []sdk.GatherTerm{{Text: "a", Weight: 1}}}, border.RuleExpansion},
		"chatter":   {&sdk.Result{Warnings: make([]string, border.MaxWarnings+1)}, border.RuleWarnings},
		"two lines": {&sdk.Result{Warnings: []string{"a\nb"}}, border.RuleWarnings},
		"separator": {&sdk.Result{Warnings: []string{"a\u2028b"}}, border.RuleWarnings},
		"reversed":  {&sdk.Result{Warnings: []string{"a\u202eb"}}, border.RuleWarnings},
		"invisible": {&sdk.Result{Warnings: []string{"a\U000e0062"}}, border.RuleWarnings},
		"any word":  {&sdk.Result{Warnings: []string{"「期限」は辞書に　ない – für “é” 🙂"}}, ""},
	} {
		d := sdk.Description{Stage: sdk.StageRetrieve, Signals: []string{"own"}}
		if got := rule(border.CheckResult(d, req, tc.res)); got != tc.rule {
			t.Errorf("%s: the breach is of %q, want %q", what, got, tc.rule)
		}
	}
}

func TestExpansionIsChecked(t *testing.T) {
	req := &sdk.Request{Corpus: sdktest.Snapshot(t, make([]sdktest.Section, 5)...), Limit: 1, Expand: true}
	for what, tc := range map[string]struct {
		term sdk.GatherTerm
		n    int
		rule string
	}{
		"good":       {sdk.GatherTerm{Text: "a", Weight: 0.1, Slot: -1}, sdk.MaxExpansion, ""},
		"flood":      {sdk.GatherTerm{Text: "a", Weight: 1}, sdk.MaxExpansion + 1, border.RuleExpansion},
		"empty":      {sdk.GatherTerm{Weight: 1}, 1, border.RuleExpansion},
		"weightless": {sdk.GatherTerm{Text: "a"}, 1, border.RuleExpansion},
		"minus":      {sdk.GatherTerm{Text: "a", Weight: -1}, 1, border.RuleExpansion},
		"broken":     {sdk.GatherTerm{Text: "\xff", Weight: 1}, 1, border.RuleExpansion},
	} {
		res := &sdk.Result{Expansion: slices.Repeat([]sdk.GatherTerm{tc.term}, tc.n)}
		if got := rule(border.CheckResult(sdk.Description{Stage: sdk.StageRetrieve}, req, res)); got != tc.rule {
			t.Errorf("%s: the breach is of %q, want %q", what, got, tc.rule)
		}
	}
}

func TestRerankerAddsNothing(t *testing.T) {
	req := &sdk.Request{Corpus: sdktest.Snapshot(t, make([]sdktest.Section, 5)...), Limit: 9, Pool: []sdk.Candidate{{Section: 2}, {Section: 3}}}
	for section, want := range map[uint32]string{2: "", 4: border.RulePool} {
		err := border.CheckResult(sdk.Description{Stage: sdk.StageRerank}, req, &sdk.Result{Candidates: []sdk.Candidate{{Section: section}}})
		if got := rule(err); got != want {
			t.Errorf("section %d: the breach is of %q, want %q", section, got, want)
		}
	}
}
