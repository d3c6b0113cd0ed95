package toolset

// Action proposes a tool call, or to stop. Params is a valid call as it stands.
type Action struct {
	Type       string         `json:"type"`
	Reason     string         `json:"reason,omitempty"`
	Confidence *float64       `json:"confidence"`
	Params     map[string]any `json:"params" nullable:"" doc:"A valid call of that tool as it stands."`
}

// Ref points at a section, or at a place in a file.
type Ref struct {
	Target    string `json:"target,omitempty"` // manual or vault
	ManualID  string `json:"manual_id,omitempty"`
	Path      string `json:"path,omitempty"`
	StartLine int    `json:"start_line,omitempty"`
	EndLine   int    `json:"end_line,omitempty"` // of a ref into the vault
}

// Skip is a file that is left out, and why.
type Skip struct {
	ManualID string `json:"manual_id,omitempty"` // "" where there are no manuals
	Path     string `json:"path"`
	Reason   string `json:"reason"`
}

// Cursor is where reading a file goes on: code points from its start, nil at its end.
type Cursor struct {
	CharOffset *int `json:"char_offset"`
}

// LineCursor is a [Cursor] that counts code points from the start of a line.
type LineCursor struct {
	StartLine  *int `json:"start_line" min:"1"`
	CharOffset *int `json:"char_offset" min:"0"`
}
