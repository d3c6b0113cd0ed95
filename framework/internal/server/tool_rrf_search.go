package server

import "encoding/json"

const handleOutput = `{
	"run_id": {"type": "string", "description": "For every other tool; lives 12 hours."},
	"lane": {"type": "string"},
	"lane_name": {"type": "string"},
	"run_id_lane": {"type": "string", "description": "The same as run_id."},
	"hit_count": {"type": "integer", "description": "All publications that match."},
	"top_k": {"type": "integer", "description": "How many were kept."},
	"truncated": {"type": "boolean"},
	"meta": {"type": "object", "description": "The search with every default written out."},
	"warnings": {"type": "array", "items": {"type": "string"}}
}`

const fulltextInput = `{
	"type": "object",
	"properties": {
		"query": ` + querySchema + `,
		"filters": ` + filtersSchema + `,
		"top_k": ` + topKSchema + `,
		"field_boosts": ` + boostsSchema + `,
		"sort": ` + sortSchema + `,
		"feature_scope": ` + scopeSchema + `,
		"lane_name": ` + nameSchema + `
	},
	"required": ["query"]
}`

func fulltextRawTool(l Lanes) Tool {
	return Tool{
		Name:  "rrf_search_fulltext_raw",
		Title: "Search publications by a boolean query",
		Description: "Run one boolean lane over the publications and keep its ranking as a run. The answer is a run_id and figures, no text: " +
			`get_provenance tells the codes of what was found, peek_snippets shows it. Example: {"query": "(顔認証 OR 顔識別) AND (遮蔽 OR マスク)", "top_k": 500}`,
		Input:   json.RawMessage(fulltextInput),
		Output:  output(handleOutput, "run_id", "lane", "run_id_lane", "hit_count", "top_k", "truncated", "meta", "warnings"),
		Example: json.RawMessage(`{"query": "(顔認証 OR 顔識別) AND (遮蔽 OR マスク)", "filters": [{"lop": "and", "field": "fi", "op": "prefix", "value": "G06V"}], "top_k": 500, "field_boosts": {"title": 80, "abst": 10, "claim": 5, "desc": 1}, "sort": "score", "feature_scope": "wide", "lane_name": "fulltext_wide"}`),
		Toolset: rrfTools,
		Hints:   reading,
		Handle:  answer(fulltextRequest, l.Search),
	}
}

func multilaneTool(l Lanes) Tool {
	return Tool{
		Name:  "run_multilane_search",
		Title: "Run several lanes over publications",
		Description: "Run boolean and semantic lanes in parallel, each into a run of its own. A lane that fails has status error and costs the others nothing. " +
			`Fuse the runs with rrf_blend_frontier. Example: {"lanes": [{"lane_name": "fulltext_recall", "query": "顔認証 AND マスク", "top_k": 400}, {"lane_name": "semantic", "text": "マスクで顔の一部が隠れていても本人を認証する装置。", "top_k": 300}]}`,
		Input: json.RawMessage(`{
	"type": "object",
	"properties": {
		"lanes": {"type": "array", "minItems": 1, "maxItems": 20, "items": {
			"type": "object",
			"properties": {
				"lane_name": ` + nameSchema + `,
				"lane": {"type": ["string", "null"], "description": "The type, where lane_name does not begin with it: fulltext, semantic or original_dense, which is semantic."},
				"query": {"type": ["string", "null"], "description": "Of a fulltext lane, as in rrf_search_fulltext_raw."},
				"text": {"type": ["string", "null"], "description": "Of a semantic lane: sentences, no keywords."},
				"filters": ` + filtersSchema + `,
				"top_k": ` + topKSchema + `,
				"field_boosts": ` + boostsSchema + `,
				"sort": ` + sortSchema + `,
				"feature_scope": ` + scopeSchema + `
			}
		}}
	},
	"required": ["lanes"]
}`),
		Output: output(`{
	"runs": {"type": "array", "description": "One per lane, in their order.", "items": {
		"type": "object",
		"properties": {
			"status": {"type": "string", "enum": ["ok", "error"]},
			"lane": {"type": "string"}, "lane_name": {"type": "string"},
			"run_id": {"type": "string"}, "run_id_lane": {"type": "string"}, "hit_count": {"type": "integer"}, "top_k": {"type": "integer"},
			"truncated": {"type": "boolean"}, "meta": {"type": "object"}, "warnings": {"type": "array", "items": {"type": "string"}},
			"error": {"type": "object", "description": "code, message and details, with status error."}
		},
		"required": ["status", "lane", "lane_name"]
	}}
}`, "runs"),
		Example: json.RawMessage(`{"lanes": [{"lane_name": "fulltext_recall", "query": "(顔認証 OR 顔識別) AND (遮蔽 OR マスク)", "top_k": 400}, {"lane_name": "semantic", "text": "マスクで顔の一部が隠れていても本人を認証する装置。", "top_k": 300}]}`),
		Toolset: rrfTools,
		Hints:   reading,
		Handle:  runLanes(l),
	}
}

const pubIDsOutput = `{"pub_ids": {"type": "array", "items": {"type": "string"}, "description": "Best first."}}`

func searchFulltextTool(l Lanes) Tool {
	return Tool{
		Name:        "search_fulltext",
		Title:       "List publications by a boolean query",
		Description: `The ids of the publications that match a boolean query, best first, and nothing else: for people. Example: {"query": "顔認証 AND マスク", "top_k": 20}`,
		Input:       json.RawMessage(fulltextInput),
		Output:      output(pubIDsOutput, "pub_ids"),
		Example:     json.RawMessage(`{"query": "顔認証 AND マスク", "top_k": 20}`),
		Toolset:     rrfHumanTools,
		Hints:       reading,
		Handle:      answer(fulltextRequest, l.PubIDs),
	}
}

func searchSemanticTool(l Lanes) Tool {
	return Tool{
		Name:        "search_semantic",
		Title:       "List publications by their meaning",
		Description: `The ids of the publications nearest in meaning to a text, best first, and nothing else: for people. Example: {"text": "マスクで顔の一部が隠れていても本人を認証する装置。", "top_k": 20}`,
		Input: json.RawMessage(`{
	"type": "object",
	"properties": {
		"text": ` + textSchema + `,
		"filters": ` + filtersSchema + `,
		"top_k": ` + topKSchema + `,
		"sort": ` + sortSchema + `,
		"feature_scope": ` + scopeSchema + `,
		"lane_name": ` + nameSchema + `
	},
	"required": ["text"]
}`),
		Output:  output(pubIDsOutput, "pub_ids"),
		Example: json.RawMessage(`{"text": "マスクで顔の一部が隠れていても本人を認証する装置。", "top_k": 20}`),
		Toolset: rrfHumanTools,
		Hints:   reading,
		Handle:  answer(semanticRequest, l.PubIDs),
	}
}
