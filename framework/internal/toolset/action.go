package toolset

// Action proposes a tool call, or to stop. Params is a valid call as it stands.
type Action struct {
	Type       string         `json:"type"`
	Reason     string         `json:"reason,omitempty"`
	Confidence *float64       `json:"confidence"`
	Params     map[string]any `json:"params" nullable:"" doc:"A valid call of that tool as it stands."`
}
