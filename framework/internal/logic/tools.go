package logic

import (
	"context"
	"encoding/json"

	"github.com/sagasu-search/sagasu/framework/internal/logic/answer"
	"github.com/sagasu-search/sagasu/framework/internal/logic/evidence"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// Backend is the only scope.
const Backend = "backend"

// FindArgs are the arguments of find_logic_evidence.
type FindArgs struct {
	Question    string `json:"question" required:"what you want to know of the backend's logic" filled:"" minLength:"1" doc:"What the backend does when ..., in Japanese or English."`
	Scope       string `json:"scope" required:"\"backend\"" enum:"backend"`
	MaxEvidence int    `json:"max_evidence" min:"1" max:"20" default:"8"`
}

// AskArgs are the arguments of ask_logic_qa.
type AskArgs struct {
	Question string              `json:"question" required:"what you want to know of the backend's logic" filled:"" minLength:"1" doc:"What the backend does when ..., in Japanese or English."`
	Evidence []evidence.Evidence `json:"evidence" required:"the array that find_logic_evidence gave, [] when it found nothing" maxItems:"20" doc:"As find_logic_evidence gave it; may be empty."`
}

// service is what the tools call.
type service interface {
	Find(context.Context, FindArgs) (evidence.Found, error)
	Ask(context.Context, AskArgs) (answer.Answer, error)
}

// group is the name by which TOOLSETS enables the tools.
const group = "logic"

const instructions = `

Business logic: find_logic_evidence, then ask_logic_qa with its evidence.`

// mode says how questions are answered.
type mode struct {
	off    bool // every call is refused
	remote bool // a service words the answers
}

func toolsetOf(s service, m mode) toolset.Toolset {
	asking := toolset.Reading
	asking.Idempotent, asking.OpenWorld = !m.remote, m.remote
	tools := []toolset.Tool{
		toolset.Define(toolset.Tool{
			Name: "find_logic_evidence", Title: "Find evidence on business logic",
			Description: "Find the lines of a backend's code and specifications that decide a question on its logic: " +
				"conditions, failures, limits. " +
				"Hand evidence to ask_logic_qa as it stands; unresolved_reasons tell what was not covered. " +
				`Example: {"question": "いつアカウントはロックされますか", "scope": "backend"}`,
			Example: json.RawMessage(`{"question": "When is an account locked?", "scope": "backend", "max_evidence": 8}`),
			Hints:   toolset.Reading,
			Group:   group,
		}, s.Find),
		toolset.Define(toolset.Tool{
			Name: "ask_logic_qa", Title: "Answer a question on business logic",
			Description: "Answer from the evidence of find_logic_evidence and nothing else: " +
				"every statement names its line. " +
				"spec_mismatch tells that code and specification contradict each other, unknowns what the evidence " +
				"does not tell; " +
				"without evidence nothing is claimed. " +
				`Example: {"question": "When is an account locked?", "evidence": []}`,
			Example: json.RawMessage(`{"question": "When is an account locked?", "evidence": [{"id": "as find_logic_evidence gave it",
				"kind": "code", "path": "backend/ts/accounts.ts", "line": 3, "excerpt": "const MAX_FAILED_LOGINS = 6;",
				"relevance": 0.9, "source_priority": 1}]}`),
			Hints: asking,
			Group: group,
		}, s.Ask),
	}
	for i := range tools {
		tools[i].Input, tools[i].Output = withDialect(tools[i].Input), withDialect(tools[i].Output)
		tools[i].BriefInput, tools[i].BriefOutput = tools[i].Input, tools[i].Output // clients get them in full
		if m.off {
			tools[i].Handle = func(context.Context, *toolset.Arguments) (any, error) { return nil, errSwitchedOff() }
		}
	}
	return toolset.Toolset{Tools: tools, Instructions: instructions}
}

// withDialect adds the dialect to a schema, because sdk/schema publishes it as a separate file.
func withDialect(schema func() json.RawMessage) func() json.RawMessage {
	return func() json.RawMessage {
		return append([]byte(`{"$schema":"https://json-schema.org/draft/2020-12/schema",`), schema()[1:]...)
	}
}

// errSwitchedOff is the error of every call while questions are off, even if the arguments are invalid.
func errSwitchedOff() error {
	return toolset.Errorf(toolset.NotAvailable, "questions on logic are switched off here (LOGIC_QA=off); "+
		"read code and specifications yourself, or ask whoever runs this server").
		With("parameter", "LOGIC_QA").With("got", "off").With("expected", "on")
}
