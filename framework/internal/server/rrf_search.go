package server

import (
	"encoding/json"
	"math"

	"github.com/sagasu-search/sagasu/framework/internal/patents/lane"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// raw takes a value as JSON, for who reads it himself; nil when not given.
func (a *Arguments) raw(name string) json.RawMessage {
	n, given := a.take(name)
	if !given {
		return nil
	}
	raw, err := marshal(n.plain())
	if err != nil {
		a.wrong(name, n, "JSON")
	}
	return raw
}

// boosts takes weights by the name of a text.
func boosts(args *Arguments) map[string]float64 {
	weights := args.Numbers("field_boosts")
	for alias, name := range textNames {
		w, given := weights[alias]
		if !given {
			continue
		}
		if own, both := weights[name]; both && own != w {
			args.fail(toolset.Invalid(args.prefix+"field_boosts."+alias, w, "given once, as "+name))
		}
		delete(weights, alias)
		weights[name] = w
	}
	return weights
}

// searchRequest takes what lanes of any type are asked; the lane itself tells what is
// wrong with a value, so that one lane of several fails alone.
func searchRequest(args *Arguments) lane.Ask {
	text := func(name string) string { s, _ := args.Text(name); return s }
	return lane.Ask{
		LaneName: text("lane_name"), Filters: args.raw("filters"), FeatureScope: text("feature_scope"),
		Sort: text("sort"), TopK: args.Int("top_k", math.MinInt, math.MaxInt),
	}
}

func fulltextRequest(args *Arguments) (lane.Ask, error) {
	args = publicationArguments(args)
	ask := searchRequest(args)
	ask.Lane, ask.FieldBoosts = lane.Fulltext, boosts(args)
	ask.Query = args.RequiredText("query", `a boolean query such as (顔認証 OR 顔識別) AND マスク`)
	return ask, publicationFault(args.Err())
}

func semanticRequest(args *Arguments) (lane.Ask, error) {
	args = publicationArguments(args)
	ask := searchRequest(args)
	ask.Lane, ask.Text = lane.Semantic, args.RequiredText("text", "one or more sentences that describe what is sought")
	return ask, publicationFault(args.Err())
}
