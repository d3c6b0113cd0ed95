package server

import "encoding/json"

// fusionProperties are the parameters of a fusion as a client is told of them.
const fusionProperties = `
		"target_profile": {"type": ["object", "null"], "description": "Weights of codes by kind: {\"fi\": {\"G06V10/82\": 1.0}, \"ft\": {}, \"ipc\": {}, \"cpc\": {}}. Take codes from code_freqs of get_provenance."},
		"weights": {"type": ["object", "null"], "additionalProperties": {"type": "number", "minimum": 0}, "description": "code (1.0), code_secondary (0.1), and lane types such as fulltext and semantic (1)."},
		"lane_weights": {"type": ["object", "null"], "additionalProperties": {"type": "number", "minimum": 0}, "description": "By lane name, with or without its type: recall is fulltext_recall. 1 when not given."},
		"pi_weights": {"type": ["object", "null"], "additionalProperties": {"type": "number", "minimum": 0}, "description": "code (0.4), facet, lane and rep (0.3 each)."},
		"facet_terms": {"type": ["object", "null"], "description": "Terms by facet, such as {\"A\": [\"顔認証\"], \"B\": [\"マスク\", \"遮蔽\"]}.", "additionalProperties": {"type": "array", "items": {"type": "string"}}},
		"facet_weights": {"type": ["object", "null"], "additionalProperties": {"type": "number", "minimum": 0}, "description": "By facet; 1 when not given."},
		"rrf_k": {"type": ["number", "null"], "minimum": 0, "default": 60},
		"beta_fuse": {"type": ["number", "null"], "minimum": 0, "default": 1.2, "description": "How much codes, facets, lanes and representatives raise a score."}`

const limitSchema = `{"type": ["integer", "null"], "minimum": 1, "maximum": 100000, "default": 100, "description": "How many ranked_docs are listed."}`

const fusedOutput = `{
	"run_id": {"type": "string"},
	"ranked_docs": {"type": "array", "description": "The best, with what each score is made of.", "items": {
		"type": "object",
		"properties": {"rank": {"type": "integer"}, "pub_id": {"type": "string"}, "score": {"type": "number"}, "rrf": {"type": "number"}, "pi": {"type": "number"}},
		"required": ["rank", "pub_id", "score"]
	}},
	"total": {"type": "integer", "description": "All that were ranked."},
	"metrics": {"type": "object", "description": "LAS, CCW, S_shape, F_struct and Fproxy over the best 50; null where undefined, with reasons."},
	"params": {"type": "object", "description": "What the fusion worked with, defaults written out."},
	"base_run_id": {"type": "string"},
	"changed": {"type": "array", "items": {"type": "object"}},
	"warnings": {"type": "array", "items": {"type": "string"}}
}`

func blendTool(l Lanes) Tool {
	return Tool{
		Name:  "rrf_blend_frontier",
		Title: "Fuse runs of lanes",
		Description: "Fuse the rankings of lanes with classification codes, facets and representatives into a new run. No lane is searched. " +
			`Example: {"runs": [{"lane": "fulltext", "run_id_lane": "fulltext-1f2e"}, {"lane": "semantic", "run_id_lane": "semantic-3d4c", "weight": 1.2}], "target_profile": {"fi": {"G06V10/82": 1.0}}}`,
		Input: json.RawMessage(`{
	"type": "object",
	"properties": {
		"runs": {"type": "array", "minItems": 1, "items": {
			"type": ["object", "string"],
			"properties": {
				"run_id_lane": {"type": "string", "description": "The run_id of a search."},
				"lane": {"type": ["string", "null"]},
				"weight": {"type": ["number", "null"], "minimum": 0, "default": 1}
			}
		}},` + fusionProperties + `,
		"limit": ` + limitSchema + `
	},
	"required": ["runs"]
}`),
		Output:  output(fusedOutput, "run_id", "ranked_docs", "metrics", "params", "warnings"),
		Example: json.RawMessage(`{"runs": [{"lane": "fulltext", "run_id_lane": "fulltext-1f2e", "weight": 1.0}], "target_profile": {"fi": {"G06V10/82": 1.0}}, "rrf_k": 60, "beta_fuse": 1.2, "limit": 100}`),
		Toolset: rrfTools,
		Hints:   reading,
		Handle:  answer(blendRequest, l.Blend),
	}
}

func mutateTool(l Lanes) Tool {
	return Tool{
		Name:  "rrf_mutate_run",
		Title: "Tune a fusion",
		Description: "Fuse the runs of a fusion again with other parameters, into a new run; values are absolute, maps merge key by key, the base run stays. " +
			`No lane is searched: another query or filter needs a new lane. Example: {"base_run_id": "fusion-5b6a", "mutate_delta": {"weights": {"semantic": 0.5}, "beta_fuse": 0.9}}`,
		Input: json.RawMessage(`{
	"type": "object",
	"properties": {
		"base_run_id": {"type": "string", "description": "The run_id of a fusion."},
		"mutate_delta": {"type": "object", "properties": {` + fusionProperties + `
		}},
		"limit": ` + limitSchema + `
	},
	"required": ["base_run_id", "mutate_delta"]
}`),
		Output:  output(fusedOutput, "run_id", "ranked_docs", "metrics", "params", "base_run_id", "changed", "warnings"),
		Example: json.RawMessage(`{"base_run_id": "fusion-5b6a", "mutate_delta": {"weights": {"semantic": 0.5}, "beta_fuse": 0.9}, "limit": 100}`),
		Toolset: rrfTools,
		Hints:   reading,
		Handle:  answer(mutateRequest, l.Mutate),
	}
}

func provenanceTool(l Lanes) Tool {
	return Tool{
		Name:  "get_provenance",
		Title: "Explain a run",
		Description: "The codes of what a run holds and how often, where it came from and with which parameters; of a fusion also what each lane contributed, metrics and the frontier by depth. " +
			`Example: {"run_id": "fusion-5b6a"}`,
		Input: json.RawMessage(`{
	"type": "object",
	"properties": {"run_id": {"type": "string", "description": "The run_id of a search or a fusion."}},
	"required": ["run_id"]
}`),
		Output: output(`{
	"run_id": {"type": "string"},
	"lane": {"type": "string"},
	"code_freqs": {"type": "object", "description": "Publications by code, the most frequent 100 of fi (by its norm), ft, ipc and cpc."},
	"distinct_codes": {"type": "object"},
	"documents": {"type": "integer"},
	"lane_contributions": {"type": ["object", "null"], "description": "Shares of the scores of the best 50, which sum to 1; null for a lane's run."},
	"run_contributions": {"type": ["object", "null"]},
	"metrics": {"type": ["object", "null"]},
	"frontier": {"type": ["array", "null"], "items": {"type": "object"}},
	"lineage": {"type": "object"},
	"params": {"type": ["object", "null"]},
	"warnings": {"type": "array", "items": {"type": "string"}}
}`, "run_id", "code_freqs", "lane_contributions", "metrics", "lineage", "params"),
		Example: json.RawMessage(`{"run_id": "fusion-5b6a"}`),
		Toolset: rrfTools,
		Hints:   reading,
		Handle:  answer(provenanceRequest, l.Provenance),
	}
}

// noting adds to what later fusions know, and takes nothing away.
var noting = Hints{Idempotent: true}

func registerTool(l Lanes) Tool {
	return Tool{
		Name:  "register_representatives",
		Title: "Register representative publications",
		Description: "Name publications that stand for what is sought: A the very thing, B close, C related. Every later fusion raises them, in the workspace or, with run_id, in fusions of that run's lanes. " +
			`Example: {"pub_ids": ["JP2023-123456A"], "category": "A"}`,
		Input: json.RawMessage(`{
	"type": "object",
	"properties": {
		"pub_ids": {"type": "array", "minItems": 1, "items": {"type": "string"}},
		"category": {"type": "string", "enum": ["A", "B", "C"]},
		"run_id": {"type": ["string", "null"], "description": "Only for the lineage of this run."}
	},
	"required": ["pub_ids", "category"]
}`),
		Output: output(`{
	"registered_count": {"type": "integer"},
	"category": {"type": "string"},
	"scope": {"type": "string", "enum": ["workspace", "lineage"]},
	"unknown": {"type": "array", "items": {"type": "string"}, "description": "Ids that the collection does not have."}
}`, "registered_count", "category", "unknown"),
		Example: json.RawMessage(`{"pub_ids": ["JP2023-123456A"], "category": "A"}`),
		Toolset: rrfTools,
		Hints:   noting,
		Handle:  answer(registerRequest, l.Register),
	}
}
