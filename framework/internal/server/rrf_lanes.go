package server

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/sagasu-search/sagasu/framework/internal/patents/lane"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// maxLanes is how many lanes one call may run.
const maxLanes = 20

// runLanes answers run_multilane_search: a lane that cannot be read or run fails alone,
// with itself put right as the example.
func runLanes(l Lanes) Handler {
	return func(ctx context.Context, args *Arguments, _ *Session) (any, error) {
		lanes, err := multilaneRequest(args)
		if err != nil {
			return nil, err
		}
		asks := make([]lane.Ask, len(lanes))
		for i, args := range lanes {
			asks[i] = laneRequest(args)
		}
		out, err := l.SearchAll(ctx, localClient, asks)
		if err != nil {
			return nil, err
		}
		for i, r := range out.Runs {
			if r.Error != nil {
				tool := likeLane(r, lanes[i])
				out.Runs[i].Error = withExample(tool.inCodes(r.Error), tool, lanes[i])
			}
		}
		return out, nil
	}
}

// multilaneRequest takes the arguments of each lane, which know their own problems.
func multilaneRequest(args *Arguments) (lanes []*Arguments, err error) {
	args = publicationArguments(args)
	const expected = "a list of 1 to 20 lanes, each an object with lane_name and query or text"
	n, given := args.take("lanes")
	noLane := func(n node) bool { return n.kind != '{' }
	switch {
	case !given:
		args.missing("lanes", expected)
	case n.kind != '[', len(n.items) == 0, len(n.items) > maxLanes, slices.ContainsFunc(n.items, noLane):
		args.wrong("lanes", n, expected)
	}
	for _, item := range n.items {
		lanes = append(lanes, &Arguments{value: item, problem: new(*toolset.Error)})
	}
	return lanes, publicationFault(args.Err())
}

func laneRequest(args *Arguments) lane.Ask {
	text := func(name string) string { s, _ := args.Text(name); return s }
	ask := searchRequest(args)
	ask.Lane, ask.Query, ask.Text, ask.FieldBoosts = text("lane"), text("query"), text("text"), boosts(args)
	ask.Refused = publicationFault(args.Err())
	return ask
}

// Typical lanes, of which a failed one takes what it has wrong or lacks.
const (
	typicalFulltext = `{"lane_name": "fulltext_recall", "lane": "fulltext", "query": "(顔認証 OR 顔識別) AND (遮蔽 OR マスク)", "top_k": 400,
		"field_boosts": {"title": 40, "abst": 10, "claim": 5, "desc": 4}, "sort": "score", "feature_scope": "wide"}`
	typicalSemantic = `{"lane_name": "semantic", "lane": "semantic", "text": "マスクで顔の一部が隠れていても本人を認証する装置。", "top_k": 300,
		"sort": "score", "feature_scope": "wide"}`
)

// likeLane is one lane as if it were a tool, whose typical call mends the lane that failed.
func likeLane(failed lane.Outcome, args *Arguments) Tool {
	input, example := `{"required": ["query"]}`, typicalFulltext
	_, hasText := args.value.find("text")
	_, hasQuery := args.value.find("query")
	if failed.Lane == lane.Semantic || failed.Lane != lane.Fulltext && hasText && !hasQuery {
		input, example = `{"required": ["text"]}`, typicalSemantic
	}
	return Tool{Toolset: rrfTools, Input: json.RawMessage(input), Example: withMeant(example, failed.Error)}
}

// withMeant puts the word that was meant, if the error knows one, into a typical lane.
func withMeant(typical string, err *toolset.Error) json.RawMessage {
	var lane map[string]any
	parameter, _ := err.Details["parameter"].(string)
	if json.Unmarshal([]byte(typical), &lane) != nil || closest(err) == "" {
		return json.RawMessage(typical)
	}
	if _, isWord := lane[parameter].(string); isWord {
		lane[parameter] = closest(err)
	}
	raw, _ := json.Marshal(lane) // strings and numbers
	return raw
}
