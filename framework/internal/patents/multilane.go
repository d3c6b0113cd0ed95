package patents

import (
	"cmp"
	"context"
	"encoding/json"
	"reflect"
	"slices"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/sagasu-search/sagasu/framework/internal/patents/lane"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// maxLanes is how many lanes one call may run.
const maxLanes = 20

// multilaneArgs are the arguments of run_multilane_search.
type multilaneArgs struct {
	lane.Call
	Lanes laneList `json:"lanes" required:"a list of 1 to 20 lanes, each an object with lane_name and query or text"`
}

// laneList holds lanes, each read by itself, so that one that cannot be read fails alone.
type laneList []laneArgs

type laneArgs struct {
	ask  lane.Ask
	args *toolset.Arguments
}

// ReadArgument implements [toolset.Reader].
func (l *laneList) ReadArgument(a *toolset.Arguments, name string) {
	n, _ := a.Take(name)
	noLane := func(n toolset.Value) bool { return n.Kind != '{' }
	if n.Kind != '[' || len(n.Items) == 0 || len(n.Items) > maxLanes || slices.ContainsFunc(n.Items, noLane) {
		a.Wrong(name, n, "a list of 1 to 20 lanes, each an object with lane_name and query or text")
		return
	}
	for _, item := range n.Items {
		one := laneArgs{args: toolset.Separate(item)}
		var err error
		if one.ask, err = toolset.Decode[lane.Ask](one.args); err != nil {
			one.ask.Refused = recode(toolset.AsError(err))
		}
		*l = append(*l, one)
	}
}

// JSONSchema implements [toolset.Schemer].
func (laneList) JSONSchema() *jsonschema.Schema {
	least, most := 1, maxLanes
	return &jsonschema.Schema{
		Type: "array", MinItems: &least, MaxItems: &most, Items: toolset.InputSchema(reflect.TypeFor[lane.Ask]()),
	}
}

// search runs the lanes. One that fails has itself put right as its error's example.
func (a multilaneArgs) search(ctx context.Context, e engine) (*lane.Outcomes, error) {
	asks := make([]lane.Ask, len(a.Lanes))
	for i, l := range a.Lanes {
		asks[i] = l.ask
		asks[i].TraceID = cmp.Or(l.ask.TraceID, a.TraceID)
	}
	out, err := e.SearchAll(ctx, asks)
	if err != nil {
		return nil, err
	}
	for i, r := range out.Runs {
		if r.Error != nil {
			args := a.Lanes[i].args
			out.Runs[i].Error = toolset.Corrected(recode(r.Error), likeLane(r, args), args)
			if call, ok := out.Runs[i].Error.Details["example"].(map[string]any); ok {
				if call["lane"] == nil && call["lane_name"] == nil && call["tool"] == nil {
					call["lane"] = laneOf(r, args) // what said so was dropped
				}
				e.Mend(ctx, call) // a lane names nothing that may not exist
			}
		}
	}
	return out, nil
}

// Typical lanes, of which a failed one takes what it has wrong or lacks.
const (
	typicalFulltext = `{"lane_name": "fulltext_recall", "lane": "fulltext", "query": "(顔認証 OR 顔識別) AND (遮蔽 OR マスク)", "top_k": 400,
		"field_boosts": {"title": 40, "abst": 10, "claim": 5, "desc": 4}, "sort": "score", "feature_scope": "wide"}`
	typicalSemantic = `{"lane_name": "semantic", "lane": "semantic", "text": "マスクで顔の一部が隠れていても本人を認証する装置。", "top_k": 300,
		"sort": "score", "feature_scope": "wide"}`
)

// likeLane returns one lane as if it were a tool, whose typical call corrects the lane that failed.
func likeLane(failed lane.Outcome, args *toolset.Arguments) toolset.Tool {
	input, example := `{"required": ["query"]}`, typicalFulltext
	if laneOf(failed, args) == lane.Semantic {
		input, example = `{"required": ["text"]}`, typicalSemantic
	}
	return toolset.Tool{
		Input:   func() json.RawMessage { return json.RawMessage(input) },
		Example: withMeant(example, failed.Error),
	}
}

// laneOf returns the type of a failed lane: the one that it names, or else that of what it asks with.
func laneOf(failed lane.Outcome, args *toolset.Arguments) string {
	_, hasText := args.Find("text")
	_, hasQuery := args.Find("query")
	if failed.Lane == lane.Semantic || failed.Lane != lane.Fulltext && hasText && !hasQuery {
		return lane.Semantic
	}
	return lane.Fulltext
}

// withMeant puts the word that was meant, if the error knows one, into a typical lane.
func withMeant(typical string, err *toolset.Error) json.RawMessage {
	var like map[string]any
	parameter, _ := err.Details["parameter"].(string)
	meant, _ := err.Details["did_you_mean"].([]string)
	if json.Unmarshal([]byte(typical), &like) != nil || len(meant) == 0 {
		return json.RawMessage(typical)
	}
	if _, isWord := like[parameter].(string); isWord {
		like[parameter] = meant[0]
	}
	raw, _ := json.Marshal(like) // strings and numbers
	return raw
}
