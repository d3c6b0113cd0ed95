package patents

import (
	"context"
	"encoding/json"

	"github.com/sagasu-search/sagasu/framework/internal/patents/lane"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// Groups of tools, by which TOOLSETS switches them on.
const (
	group      = "rrf"
	groupHuman = "rrf-human" // answers for people: ids and nothing else
)

// engine is what the tools call; [lane.Engine] is one.
type engine interface {
	Search(context.Context, lane.Ask) (*lane.Handle, error)
	SearchAll(context.Context, []lane.Ask) (*lane.Outcomes, error)
	PubIDs(context.Context, lane.Ask) (*lane.PubIDs, error)
	Blend(context.Context, lane.BlendRequest) (*lane.Result, error)
	Mutate(context.Context, lane.MutateRequest) (*lane.Result, error)
	Provenance(context.Context, lane.RunRequest) (*lane.Provenance, error)
	Register(context.Context, lane.RegisterRequest) (*lane.Registered, error)
	List(context.Context, lane.ListRequest) (*lane.Representatives, error)
	Remove(context.Context, lane.RemoveRequest) (*lane.Removed, error)
	Peek(context.Context, lane.PeekRequest) (*lane.Snippets, error)
	Snippets(context.Context, lane.SnippetsRequest) (*lane.Snippets, error)
	Publication(context.Context, lane.PublicationRequest) (*lane.Record, error)
	Mend(ctx context.Context, call map[string]any) bool
}

// define defines a tool whose answer repeats the caller's id of the call.
func define[A interface{ Trace() string }, R interface{ Mark(string) }](
	t toolset.Tool, do func(context.Context, A) (R, error),
) toolset.Tool {
	return toolset.Define(t, func(ctx context.Context, a A) (R, error) {
		out, err := do(ctx, a)
		if err == nil && a.Trace() != "" {
			out.Mark(a.Trace())
		}
		return out, err
	})
}

const instructions = "Patents: run_multilane_search, rrf_blend_frontier; see the prompt patent_search_en."

func toolsetOf(e engine) toolset.Toolset {
	tools := toolsOf(e)
	for i := range tools {
		tools[i].Recode, tools[i].Mend = recode, e.Mend
		if tools[i].Group == "" {
			tools[i].Group = group
		}
		if tools[i].Hints == (toolset.Hints{}) {
			tools[i].Hints = toolset.Reading
		}
	}
	return toolset.Toolset{Tools: tools, Prompts: prompts(), Instructions: instructions, Needs: "rrf_blend_frontier"}
}

// recode replaces the code of a failure by the one that callers of these tools know.
func recode(err *toolset.Error) *toolset.Error {
	switch err.Code {
	case toolset.InvalidParameter:
		err.Code = toolset.InvalidRRFCall
	case toolset.NotAvailable:
		err.Code = toolset.BackendError
	}
	return err
}

// toolsOf returns the tools; those of groupHuman are for people.
func toolsOf(e engine) []toolset.Tool {
	return []toolset.Tool{
		define(toolset.Tool{
			Name: "rrf_search_fulltext_raw", Title: "Search publications by a boolean query",
			Description: "Run one boolean lane over the publications and keep its ranking as a run. " +
				"The answer is a run_id and figures, no text: " +
				`get_provenance lists the codes of what was found, peek_snippets shows it. Example: {"query": "(顔認証 OR 顔識別) AND (遮蔽 OR マスク)", "top_k": 500}`,
			Example: json.RawMessage(`{"query": "(顔認証 OR 顔識別) AND (遮蔽 OR マスク)", "filters": [{"lop": "and", "field": "fi", "op": "prefix", "value": "G06V"}], "top_k": 500, "field_boosts": {"title": 80, "abst": 10, "claim": 5, "desc": 1}, "sort": "score", "feature_scope": "wide", "lane_name": "fulltext_wide"}`),
		}, func(ctx context.Context, a lane.FulltextArgs) (*lane.Handle, error) { return e.Search(ctx, a.Ask()) }),
		define(toolset.Tool{
			Name: "rrf_search_semantic_raw", Title: "Search publications by their meaning",
			Description: "Run one semantic lane over the publications and keep its ranking as a run, as " +
				`rrf_search_fulltext_raw does. Example: {"text": "マスクで顔の一部が隠れていても本人を認証する装置。", "top_k": 300}`,
			Example: json.RawMessage(`{"text": "マスクで顔の一部が隠れていても本人を認証する装置。", "filters": [{"lop": "and", "field": "fi", "op": "prefix", "value": "G06V"}], "top_k": 300, "sort": "score", "feature_scope": "wide", "lane_name": "semantic"}`),
		}, func(ctx context.Context, a lane.SemanticArgs) (*lane.Handle, error) { return e.Search(ctx, a.Ask()) }),
		define(toolset.Tool{
			Name: "run_multilane_search", Title: "Run several lanes over publications",
			Description: "Run boolean and semantic lanes in parallel, each into a run of its own. " +
				"A lane that fails has status error and costs the others nothing. " +
				`Fuse the runs with rrf_blend_frontier. Example: {"lanes": [{"lane_name": "fulltext_recall", "query": "顔認証 AND マスク", "top_k": 400}, {"lane_name": "semantic", "text": "マスクで顔の一部が隠れていても本人を認証する装置。", "top_k": 300}]}`,
			Example: json.RawMessage(`{"lanes": [{"lane_name": "fulltext_recall", "query": "(顔認証 OR 顔識別) AND (遮蔽 OR マスク)", "top_k": 400}, {"lane_name": "semantic", "text": "マスクで顔の一部が隠れていても本人を認証する装置。", "top_k": 300}]}`),
		}, func(ctx context.Context, a multilaneArgs) (*lane.Outcomes, error) { return a.search(ctx, e) }),
		define(toolset.Tool{
			Name: "rrf_blend_frontier", Title: "Fuse runs of lanes",
			Description: "Fuse the rankings of lanes with classification codes, facets and representatives into a " +
				"new run. No lane is searched. " +
				`Example: {"runs": [{"lane": "fulltext", "run_id_lane": "fulltext-1f2e"}, {"lane": "semantic", "run_id_lane": "semantic-3d4c", "weight": 1.2}], "target_profile": {"fi": {"G06V10/82": 1.0}}}`,
			Example: json.RawMessage(`{"runs": [{"lane": "fulltext", "run_id_lane": "fulltext-1f2e", "weight": 1.0}], "target_profile": {"fi": {"G06V10/82": 1.0}}, "rrf_k": 60, "beta_fuse": 1.2, "limit": 100}`),
		}, e.Blend),
		define(toolset.Tool{
			Name: "rrf_mutate_run", Title: "Tune a fusion",
			Description: "Fuse the runs of a fusion again with other parameters, into a new run; " +
				"values are absolute, maps merge key by key, the base run stays. " +
				`No lane is searched: another query or filter needs a new lane. Example: {"base_run_id": "fusion-5b6a", "mutate_delta": {"weights": {"semantic": 0.5}, "beta_fuse": 0.9}}`,
			Example: json.RawMessage(`{"base_run_id": "fusion-5b6a", "mutate_delta": {"weights": {"semantic": 0.5}, "beta_fuse": 0.9}, "limit": 100}`),
			Always:  []string{"base_run_id", "changed"},
		}, e.Mutate),
		define(toolset.Tool{
			Name: "get_provenance", Title: "Explain a run",
			Description: "The codes of what a run holds and how often, where it came from and with which parameters; " +
				"of a fusion also what each lane contributed, metrics and the frontier by depth. " +
				`Example: {"run_id": "fusion-5b6a"}`,
			Example: json.RawMessage(`{"run_id": "fusion-5b6a"}`),
		}, e.Provenance),
		define(toolset.Tool{
			Name: "peek_snippets", Title: "Look at the best of a run",
			Description: `Title, abstract and claims of the best publications of a run, cut short. Example: {"run_id": "fusion-5b6a", "limit": 30}`,
			Example:     json.RawMessage(`{"run_id": "fusion-5b6a", "offset": 0, "limit": 30, "fields": ["title", "abst", "claim"], "per_field_chars": {"title": 160, "abst": 480, "claim": 320}, "budget_bytes": 60000}`),
			Always:      []string{"run_id"},
		}, e.Peek),
		define(toolset.Tool{
			Name: "get_snippets", Title: "Look at publications by their ids",
			Description: `Texts of publications in the order of the ids, cut short; unknown ids are in missing. Example: {"pub_ids": ["JP2023-123456A"], "fields": ["claim"], "per_field_chars": {"claim": 2000}}`,
			Example:     json.RawMessage(`{"pub_ids": ["JP2023-123456A"], "fields": ["claim"], "per_field_chars": {"claim": 2000}, "budget_bytes": 60000}`),
		}, e.Snippets),
		define(toolset.Tool{
			Name: "get_publication", Title: "Read one publication",
			Description: `A publication by one of its numbers, in any writing, with all texts unless fields or per_field_chars say less. Example: {"id": "特開2023-123456", "id_type": "pub_id", "fields": ["title", "claim"]}`,
			Example:     json.RawMessage(`{"id": "特開2023-123456", "id_type": "pub_id", "fields": ["title", "claim"], "per_field_chars": {"claim": 2000}}`),
		}, e.Publication),
		define(toolset.Tool{
			Name: "register_representatives", Title: "Register representative publications",
			Description: "Name publications that stand for what is sought: A the very thing, B close, C related. " +
				"Later fusions of the same topic, or with run_id of that run's lanes, raise them. " +
				`Example: {"pub_ids": ["JP2023-123456A"], "category": "A", "topic": "masked faces"}`,
			Example: json.RawMessage(`{"pub_ids": ["JP2023-123456A"], "category": "A"}`),
			Hints:   toolset.Hints{Idempotent: true}, // adds to what later fusions know, and takes nothing away
		}, e.Register),
		define(toolset.Tool{
			Name: "list_representatives", Title: "List representative publications",
			Description: `All representatives with their category and topic or lineage, or those of one. Example: {"topic": "default"}`,
			Example:     json.RawMessage(`{}`),
		}, e.List),
		define(toolset.Tool{
			Name: "remove_representatives", Title: "Remove representative publications",
			Description: "Take representatives out of a topic or a lineage; fusions made with them stay. " +
				`Example: {"pub_ids": ["JP2023-123456A"], "topic": "masked faces"}`,
			Example: json.RawMessage(`{"pub_ids": ["JP2023-123456A"]}`),
			Hints:   toolset.Hints{Idempotent: true, Destructive: true},
		}, e.Remove),
		define(toolset.Tool{
			Name: "search_fulltext", Title: "List publications by a boolean query",
			Description: `The ids of the publications that match a boolean query, best first, and nothing else: for people. Example: {"query": "顔認証 AND マスク", "top_k": 20}`,
			Example:     json.RawMessage(`{"query": "(顔認証 OR 顔識別) AND (遮蔽 OR マスク)", "top_k": 20}`),
			Group:       groupHuman,
		}, func(ctx context.Context, a lane.FulltextArgs) (*lane.PubIDs, error) { return e.PubIDs(ctx, a.Ask()) }),
		define(toolset.Tool{
			Name: "search_semantic", Title: "List publications by their meaning",
			Description: `The ids of the publications nearest in meaning to a text, best first, and nothing else: for people. Example: {"text": "マスクで顔の一部が隠れていても本人を認証する装置。", "top_k": 20}`,
			Example:     json.RawMessage(`{"text": "マスクで顔の一部が隠れていても本人を認証する装置。", "top_k": 20}`),
			Group:       groupHuman,
		}, func(ctx context.Context, a lane.SemanticArgs) (*lane.PubIDs, error) { return e.PubIDs(ctx, a.Ask()) }),
	}
}
