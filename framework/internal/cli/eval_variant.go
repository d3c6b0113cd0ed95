package cli

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/sagasu-search/sagasu/framework/internal/eval"
	"github.com/sagasu-search/sagasu/framework/internal/fusion"
	"github.com/sagasu-search/sagasu/framework/internal/search"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/sdk"
)

// variant is one way to search: which strategies, merged how, with which
// figures changed.
type variant struct {
	strategies []string
	fusion     fusion.Method
	values     eval.Setting
}

func (v variant) only(strategies []string) variant {
	v.strategies = strategies
	return v
}

func (v variant) with(s eval.Setting) variant {
	values := maps.Clone(v.values)
	maps.Copy(values, s)
	v.values = values
	return v
}

// parameters returns the changed parameters of one strategy.
func (v variant) parameters(strategy string) map[string]any {
	out := map[string]any{}
	for name, value := range v.values {
		if of, parameter, ok := strings.Cut(name, "."); ok && of == strategy && parameter != "weight" {
			out[parameter] = value
		}
	}
	return out
}

// variant reads the command line; no strategies means all that are on.
func (b *testbed) variant(strategies []string, method string, set []string) (variant, error) {
	v := variant{fusion: b.settings.Method, values: eval.Setting{}}
	if err := b.readValues(&v, set); err != nil {
		return v, err
	}
	for _, name := range strategies {
		if _, ok := b.describe(name); !ok {
			return v, usageError{toolset.Unknown("strategy", name, b.names())}
		}
	}
	for _, d := range b.descriptions {
		chosen := slices.Contains(strategies, d.Name)
		if chosen && b.weight(d, v) == 0 {
			return v, usageError{fmt.Errorf("strategy %s has the weight 0: give it another with --set %s%s=VALUE",
				d.Name, d.Name, weightSuffix)}
		}
		if chosen || len(strategies) == 0 && b.weight(d, v) > 0 {
			v.strategies = append(v.strategies, d.Name)
		}
	}
	if method == "" {
		return v, nil
	}
	var err error
	if v.fusion, err = fusion.ParseMethod(method); err != nil {
		return v, usageError{toolset.Unknown("fusion", method,
			[]string{string(fusion.Weighted), string(fusion.RRF), string(fusion.CombMNZ)})}
	}
	return v, nil
}

func (b *testbed) names() []string {
	var out []string
	for _, d := range b.descriptions {
		out = append(out, d.Name)
	}
	return out
}

func (b *testbed) describe(name string) (sdk.Description, bool) {
	i := slices.IndexFunc(b.descriptions, func(d sdk.Description) bool { return d.Name == name })
	if i < 0 {
		return sdk.Description{}, false
	}
	return b.descriptions[i], true
}

// weight returns a strategy's part in fusion.
func (b *testbed) weight(d sdk.Description, v variant) float64 {
	if w, ok := v.values[d.Name+weightSuffix]; ok {
		return w
	}
	if w, ok := b.settings.Weights[d.Name]; ok {
		return w
	}
	return d.Weight
}

// retrieving returns the strategies that search, and do not just order anew.
func (b *testbed) retrieving(strategies []string) []string {
	return slices.DeleteFunc(slices.Clone(strategies), func(name string) bool {
		d, _ := b.describe(name)
		return d.Stage == sdk.StageRerank || d.Stage == sdk.StageFeedback || d.Stage == sdk.StageJudge
	})
}

// settingsOf returns the figures of the search by a variant.
func (b *testbed) settingsOf(v variant) search.Settings {
	s := b.settings
	s.Method, s.Weights = v.fusion, map[string]float64{}
	for _, d := range b.descriptions {
		if slices.Contains(v.strategies, d.Name) {
			s.Weights[d.Name] = b.weight(d, v)
		} else {
			s.Weights[d.Name] = 0
		}
	}
	for name, figure := range map[string]*float64{
		coverageWeight: &s.CoverageWeight, headingWeight: &s.HeadingWeight, titleWeight: &s.TitleWeight,
		answerWeight: &s.AnswerWeight, matchThreshold: &s.MatchThreshold,
	} {
		if value, ok := v.values[name]; ok {
			*figure = value
		}
	}
	return s
}

// Figures of the search that a run may change, besides NAME.weight and
// NAME.PARAMETER of the strategies.
const (
	coverageWeight = "coverage_weight"
	headingWeight  = "heading_weight"
	titleWeight    = "title_weight"
	answerWeight   = "answer_weight"
	matchThreshold = "match_threshold"
	weightSuffix   = ".weight"
)

// bounds say what a figure may be, in the words of JSON Schema.
type bounds struct {
	Type             string
	Minimum, Maximum *float64
	ExclusiveMinimum *float64
	Default          *float64
}

// values are those that tuning tries: five from the least to the most, or where a bound is missing none, half and
// twice the default.
func (b bounds) values() (out []float64) {
	add := func(x float64) {
		if b.Type == "integer" {
			x = math.Round(x)
		}
		if b.allow(x) && !slices.Contains(out, x) {
			out = append(out, x)
		}
	}
	switch {
	case b.Minimum != nil && b.Maximum != nil:
		for i := range 5 {
			add(*b.Minimum + (*b.Maximum-*b.Minimum)*float64(i)/4)
		}
	case b.Default != nil:
		add(0)
		add(*b.Default / 2)
		add(*b.Default * 2)
	}
	return out
}

// upTo bounds a figure by 0 and a maximum.
func upTo(most float64) bounds {
	var least float64
	return bounds{Type: "number", Minimum: &least, Maximum: &most}
}

func (b bounds) allow(x float64) bool {
	return (b.Minimum == nil || x >= *b.Minimum) && (b.Maximum == nil || x <= *b.Maximum) &&
		(b.ExclusiveMinimum == nil || x > *b.ExclusiveMinimum) && (b.Type == "number" || x == float64(int(x)))
}

// String says it in words.
func (b bounds) String() string {
	out := "a number"
	if b.Type == "integer" {
		out = "an integer"
	}
	switch {
	case b.Minimum != nil:
		out += fmt.Sprintf(" from %v", *b.Minimum)
	case b.ExclusiveMinimum != nil:
		out += fmt.Sprintf(" above %v", *b.ExclusiveMinimum)
	}
	if b.Maximum != nil {
		out += fmt.Sprintf(" to %v", *b.Maximum)
	}
	return out
}

// figures are all that may be changed for a run, by name.
func (b *testbed) figures() map[string]bounds {
	out := map[string]bounds{coverageWeight: upTo(10), headingWeight: upTo(10), titleWeight: upTo(10),
		answerWeight: upTo(1), matchThreshold: upTo(1)}
	for _, d := range b.descriptions {
		out[d.Name+weightSuffix] = upTo(100)
		var schema struct{ Properties map[string]bounds }
		if json.Unmarshal(d.ConfigSchema, &schema) != nil {
			continue // a strategy without configuration
		}
		for name, limits := range schema.Properties {
			if limits.Type == "number" || limits.Type == "integer" {
				out[d.Name+"."+name] = limits
			}
		}
	}
	return out
}

// readValues reads NAME=VALUE of the command line.
func (b *testbed) readValues(v *variant, set []string) error {
	known := b.figures()
	for _, item := range set {
		name, raw, _ := strings.Cut(item, "=")
		limits, ok := known[name]
		if !ok {
			return usageError{toolset.Unknown("figure", name, sortedKeys(known))}
		}
		value, err := strconv.ParseFloat(raw, 64)
		if err != nil || !limits.allow(value) {
			return usageError{fmt.Errorf("--set %s: it must be %s", item, limits)}
		}
		v.values[name] = value
	}
	return nil
}
