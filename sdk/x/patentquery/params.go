package patentquery

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"
)

// Params are the parameters of a lane besides its query, passed in sdk.Request.Params.
type Params struct {
	// FieldBoosts are the weights of the fields in the score, at least 0. A missing field keeps its default.
	FieldBoosts map[string]float64 `json:"field_boosts,omitempty"`
	// FeatureScope is Wide when empty.
	FeatureScope Scope `json:"feature_scope,omitempty"`
}

// DefaultBoosts are the default weights of the fields, by [Fields].
var DefaultBoosts = [len(Fields)]float64{40, 10, 5, 4}

// ParseParams reads the params of a request. nil means the defaults.
func ParseParams(raw json.RawMessage) (p Params, err error) {
	if len(raw) > 0 {
		dec := json.NewDecoder(bytes.NewReader(raw))
		dec.DisallowUnknownFields()
		if err := dec.Decode(&p); err != nil {
			return p, fmt.Errorf("params of the lane: %w", err)
		}
	}
	if p.FeatureScope == "" {
		p.FeatureScope = Wide
	}
	if !slices.Contains(Scopes[:], p.FeatureScope) {
		return p, fmt.Errorf("feature_scope is %q: it must be one of %v", p.FeatureScope, Scopes)
	}
	_, err = p.Boosts()
	return p, err
}

// Boosts returns the weights of the fields, by [Fields].
func (p Params) Boosts() ([len(Fields)]float64, error) {
	boosts := DefaultBoosts
	for name, boost := range p.FieldBoosts {
		f, ok := ParseField(name)
		if !ok {
			return boosts, fmt.Errorf("field_boosts names %q: the fields are %v", name, Fields)
		}
		if !(boost >= 0) || math.IsInf(boost, 1) {
			return boosts, fmt.Errorf("field_boosts of %s is %v: it must be a number from 0 up", f, boost)
		}
		boosts[slices.Index(Fields[:], f)] = boost
	}
	return boosts, nil
}
