package server

import (
	"context"
	"encoding/json"

	"github.com/sagasu-search/sagasu/framework/internal/logic"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/sdk/schema"
)

// Logic finds evidence on business logic and answers from it.
type Logic interface {
	logic.Searcher
	// Ask answers from the given evidence alone.
	Ask(ctx context.Context, r logic.AskRequest) (logic.Answer, error)
}

// LogicMode says how questions on logic are answered.
type LogicMode struct {
	Off    bool // the tools stay and refuse every call
	Remote bool // a service words the answers
}

// logicTools is the toolset of questions on business logic.
const logicTools = "logic"

// logicToolsOf are the tools of questions on logic, if there is something behind them.
func logicToolsOf(l Logic, mode LogicMode) []Tool {
	if l == nil {
		return nil
	}
	all := []Tool{findLogicTool(l), askLogicTool(l, mode)}
	for i := range all {
		if mode.Off {
			all[i].Handle = switchedOff
		}
	}
	return all
}

// switchedOff refuses every call, whatever its arguments: the tools were rolled back.
func switchedOff(context.Context, *Arguments, *Session) (any, error) {
	return nil, toolset.Errorf(toolset.NotAvailable, "questions on logic are switched off here (LOGIC_QA=off); read code and specifications yourself, or ask whoever runs this server").
		With("parameter", "LOGIC_QA").With("got", "off").With("expected", "on")
}

func findLogicTool(l Logic) Tool {
	tool := schema.FindLogicEvidence()
	return Tool{
		Name:  tool.Name,
		Title: "Find evidence on business logic",
		Description: "Find the lines of a backend's code and specifications that decide a question on its logic: conditions, failures, limits. " +
			"Hand evidence to ask_logic_qa as it stands; unresolved_reasons tell what was not covered. " +
			`Example: {"question": "いつアカウントはロックされますか", "scope": "backend"}`,
		Input: tool.Input, Output: tool.Output,
		Example: json.RawMessage(`{"question": "When is an account locked?", "scope": "backend", "max_evidence": 8}`),
		Toolset: logicTools,
		Hints:   reading,
		Handle:  parsed(logic.ParseFind, l.Find),
	}
}

func askLogicTool(l Logic, mode LogicMode) Tool {
	tool, hints := schema.AskLogicQA(), reading
	hints.Idempotent, hints.OpenWorld = !mode.Remote, mode.Remote
	return Tool{
		Name:  tool.Name,
		Title: "Answer a question on business logic",
		Description: "Answer from the evidence of find_logic_evidence and nothing else: every statement names its line. " +
			"spec_mismatch tells that code and specification contradict each other, unknowns what the evidence does not tell; without evidence nothing is claimed. " +
			`Example: {"question": "When is an account locked?", "evidence": []}`,
		Input: tool.Input, Output: tool.Output,
		Example: json.RawMessage(`{"question": "When is an account locked?", "evidence": [{"id": "as find_logic_evidence gave it", "kind": "code", "path": "backend/ts/accounts.ts", "line": 3, "excerpt": "const MAX_FAILED_LOGINS = 6;", "relevance": 0.9, "source_priority": 1}]}`),
		Toolset: logicTools,
		Hints:   hints,
		Handle:  parsed(logic.ParseAsk, l.Ask),
	}
}

// parsed makes a handler of a parser of whole arguments and of what answers them.
func parsed[Request, Result any](parse func([]byte) (Request, error), do func(context.Context, Request) (Result, error)) Handler {
	return func(ctx context.Context, args *Arguments, _ *Session) (any, error) {
		raw, err := json.Marshal(args.value.plain())
		if err != nil {
			return nil, err
		}
		req, err := parse(raw)
		if err != nil {
			return nil, err
		}
		return do(ctx, req)
	}
}
