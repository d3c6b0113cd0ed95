package cli

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// Figures of the search that a run may change, besides NAME.weight and
// NAME.PARAMETER of the strategies.
const (
	coverageWeight = "coverage_weight"
	headingWeight  = "heading_weight"
	titleWeight    = "title_weight"
	matchThreshold = "match_threshold"
	weightSuffix   = ".weight"
)

// bounds say what a figure may be, in the words of JSON Schema.
type bounds struct {
	Type             string
	Minimum, Maximum *float64
	ExclusiveMinimum *float64
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
func (b *bench) figures() map[string]bounds {
	out := map[string]bounds{coverageWeight: upTo(10), headingWeight: upTo(10), titleWeight: upTo(10),
		matchThreshold: upTo(1)}
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
func (b *bench) readValues(v *variant, set []string) error {
	known := b.figures()
	for _, item := range set {
		name, raw, _ := strings.Cut(item, "=")
		limits, ok := known[name]
		if !ok {
			return usageError{unknown("figure", name, sortedKeys(known))}
		}
		value, err := strconv.ParseFloat(raw, 64)
		if err != nil || !limits.allow(value) {
			return usageError{fmt.Errorf("--set %s: it must be %s", item, limits)}
		}
		v.values[name] = value
	}
	return nil
}
