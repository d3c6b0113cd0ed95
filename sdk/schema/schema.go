package schema

import (
	_ "embed" // the schemas
	"encoding/json"
	"slices"
)

//go:embed find_logic_evidence.input.json
var findInput []byte

//go:embed find_logic_evidence.output.json
var findOutput []byte

//go:embed ask_logic_qa.input.json
var askInput []byte

//go:embed ask_logic_qa.output.json
var askOutput []byte

// Tool contains the input and output schemas of a tool, as JSON Schema 2020-12.
type Tool struct {
	Name          string
	Input, Output json.RawMessage
}

// FindLogicEvidence returns the schemas of the tool find_logic_evidence.
func FindLogicEvidence() Tool {
	return Tool{"find_logic_evidence", slices.Clone(findInput), slices.Clone(findOutput)}
}

// AskLogicQA returns the schemas of the tool ask_logic_qa.
func AskLogicQA() Tool {
	return Tool{"ask_logic_qa", slices.Clone(askInput), slices.Clone(askOutput)}
}
