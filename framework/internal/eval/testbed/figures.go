package testbed

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/sagasu-search/sagasu/framework/internal/search"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// Names of figures that have a meaning here.
const (
	coverageWeight = "coverage_weight"
	headingWeight  = "heading_weight"
	weightSuffix   = ".weight"
)

// searchFigures are the figures of the search that a run may change, from 0 to most, besides NAME.weight and
// NAME.PARAMETER of the strategies.
var searchFigures = []struct {
	name string
	most float64
	of   func(*search.Settings) *float64
}{
	{coverageWeight, 10, func(s *search.Settings) *float64 { return &s.CoverageWeight }},
	{headingWeight, 10, func(s *search.Settings) *float64 { return &s.HeadingWeight }},
	{"title_weight", 10, func(s *search.Settings) *float64 { return &s.TitleWeight }},
	{"answer_weight", 1, func(s *search.Settings) *float64 { return &s.AnswerWeight }},
	{"match_threshold", 1, func(s *search.Settings) *float64 { return &s.MatchThreshold }},
}

// settingsOf returns the settings of a search with a variant.
func (b *Testbed) settingsOf(v Variant) search.Settings {
	s := b.settings
	s.Method, s.Weights = v.fusion, map[string]float64{}
	for _, d := range b.descriptions {
		s.Weights[d.Name] = 0
		if slices.Contains(v.strategies, d.Name) {
			s.Weights[d.Name] = b.weight(d, v)
		}
	}
	for _, f := range searchFigures {
		if value, ok := v.values[f.name]; ok {
			*f.of(&s) = value
		}
	}
	return s
}

// figures returns all figures that may be changed for a run, by name.
func (b *Testbed) figures() map[string]bounds {
	out := map[string]bounds{}
	for _, f := range searchFigures {
		out[f.name] = upTo(f.most)
	}
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

// readValues reads figures in the form NAME=VALUE.
func (b *Testbed) readValues(v *Variant, set []string) error {
	known := b.figures()
	for _, item := range set {
		name, raw, _ := strings.Cut(item, "=")
		limits, ok := known[name]
		if !ok {
			return toolset.Unknown("figure", name, slices.Sorted(maps.Keys(known)))
		}
		value, err := strconv.ParseFloat(raw, 64)
		if err != nil || !limits.allow(value) {
			return fmt.Errorf("--set %s: it must be %s", item, limits)
		}
		v.values[name] = value
	}
	return nil
}

// bounds are the permitted values of a figure, in terms of JSON Schema.
type bounds struct {
	Type             string
	Minimum, Maximum *float64
	ExclusiveMinimum *float64
	Default          *float64
}

// upTo returns bounds from 0 to a maximum.
func upTo(most float64) bounds {
	return bounds{Type: "number", Minimum: new(0.0), Maximum: &most}
}

func (b bounds) allow(x float64) bool {
	return (b.Minimum == nil || x >= *b.Minimum) && (b.Maximum == nil || x <= *b.Maximum) &&
		(b.ExclusiveMinimum == nil || x > *b.ExclusiveMinimum) && (b.Type == "number" || x == float64(int(x)))
}

// String returns the bounds in words.
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
