package server

import (
	"context"

	"github.com/sagasu-search/sagasu/framework/internal/patents/lane"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// Lanes searches publications and fuses what was found. client tells who made a run.
type Lanes interface {
	Search(ctx context.Context, client string, ask lane.Ask) (*lane.Handle, error)
	SearchAll(ctx context.Context, client string, asks []lane.Ask) (*lane.Outcomes, error)
	PubIDs(ctx context.Context, client string, ask lane.Ask) (*lane.PubIDs, error)
	Blend(ctx context.Context, client string, req lane.BlendRequest) (*lane.Result, error)
	Mutate(ctx context.Context, client string, req lane.MutateRequest) (*lane.Result, error)
	Provenance(ctx context.Context, client, runID string) (*lane.Provenance, error)
	Register(ctx context.Context, client string, req lane.RegisterRequest) (*lane.Registered, error)
	Peek(ctx context.Context, client string, req lane.PeekRequest) (*lane.Snippets, error)
	Snippets(ctx context.Context, client string, req lane.SnippetsRequest) (*lane.Snippets, error)
	Publication(ctx context.Context, req lane.PublicationRequest) (*lane.Record, error)
}

// Toolsets of the tools over publications.
const (
	rrfTools      = "rrf"
	rrfHumanTools = "rrf-human"
)

// localClient is the client of a server on standard input and of the shell: one user's,
// whose runs outlive the process that made them.
const localClient = "local"

// rrfToolsOf are the tools over publications, if there is something behind them.
func rrfToolsOf(l Lanes) []Tool {
	if l == nil {
		return nil
	}
	return []Tool{
		fulltextRawTool(l), multilaneTool(l), blendTool(l), mutateTool(l), provenanceTool(l), peekTool(l),
		snippetsTool(l), publicationTool(l), registerTool(l), searchFulltextTool(l), searchSemanticTool(l),
	}
}

// inCodes gives a failure of a tool over publications the code that these have for it.
func (t Tool) inCodes(err *toolset.Error) *toolset.Error {
	if t.Toolset != rrfTools && t.Toolset != rrfHumanTools {
		return err
	}
	switch err.Code {
	case toolset.InvalidParameter:
		err.Code = toolset.InvalidRRFCall
	case toolset.NotAvailable:
		err.Code = toolset.BackendError
	}
	return err
}

// answer makes a handler of a decoder and of what answers the decoded request.
func answer[Request, Result any](decode func(*Arguments) (Request, error), do func(context.Context, string, Request) (Result, error)) Handler {
	return func(ctx context.Context, args *Arguments, _ *Session) (any, error) {
		req, err := decode(args)
		if err != nil {
			return nil, err
		}
		return do(ctx, localClient, req)
	}
}

const (
	filtersSchema = `{"type": ["array", "null"], "description": "Conditions on codes, dates and names: all with lop and must hold, none with not, and one with or if there is any. prefix takes all codes below a code. An example: {\"lop\": \"and\", \"field\": \"fi\", \"op\": \"prefix\", \"value\": \"G06V10\"}.", "items": {
		"type": "object",
		"properties": {
			"lop": {"type": "string", "description": "and, or, not; required."},
			"field": {"type": "string", "description": "fi, ft, ipc, cpc, country, date (of publication), filing_date, pubyear, applicant, inventor, pub_id."},
			"op": {"type": "string", "description": "in, not_in, =, !=, >, >=, <, <=, range, contains, prefix."},
			"value": {"description": "A value, or a list for in, not_in and range (two, null for an open side). Dates as YYYY, YYYY-MM or YYYY-MM-DD."}
		}
	}}`
	boostsSchema = `{"type": ["object", "null"], "description": "Weights of title, abst, claim and desc in the score; 40, 10, 5 and 4 when not given.", "additionalProperties": {"type": "number", "minimum": 0}}`
	sortSchema   = `{"type": ["string", "null"], "description": "score (default), date_desc or date_asc."}`
	topKSchema   = `{"type": ["integer", "null"], "minimum": 1, "maximum": 100000, "default": 500, "description": "How many of the best are kept."}`
	scopeSchema  = `{"type": ["string", "null"], "description": "The texts that are looked at: wide (all, default), title_abst_claims, claims_only; fulltext lanes also top_claim, background_jp."}`
	querySchema  = `{"type": "string", "description": "AND OR NOT, brackets, \"phrase\", term*, title:term, *N30\"a b\" (within 30 characters), *ONP30\"a b\" (in this order); words side by side are joined by AND."}`
	textSchema   = `{"type": "string", "description": "Sentences that describe what is sought, its problem and its means; no keywords."}`
	nameSchema   = `{"type": ["string", "null"], "description": "Begins with the lane's type: fulltext_recall, fulltext_precision, semantic. lane_weights go by it."}`
)
