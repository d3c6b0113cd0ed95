package toolset

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"path"
)

// Action proposes a tool call, or to stop. Params is a valid call as it stands.
type Action struct {
	Type       string         `json:"type"`
	Reason     string         `json:"reason,omitempty"`
	Confidence *float64       `json:"confidence"`
	Params     map[string]any `json:"params" nullable:"" doc:"A valid call of that tool as it stands."`
}

// Propose proposes a call, with its confidence in two digits.
func Propose(tool, reason string, confidence float64, params map[string]any) Action {
	confidence = math.Round(confidence*100) / 100
	return Action{Type: tool, Reason: reason, Confidence: &confidence, Params: params}
}

// Ref points at a section, or at a place in a file.
type Ref struct {
	Target    string `json:"target,omitempty"` // manual or vault
	ManualID  string `json:"manual_id,omitempty"`
	Path      string `json:"path,omitempty"`
	StartLine int    `json:"start_line,omitempty"`
	EndLine   int    `json:"end_line,omitempty"` // of a ref into the vault
	// Source is where in its document a converted or imported section begins, nil for any other.
	Source *Source `json:"source,omitempty"`
}

// Source is a place in a document that was converted to text. Page, Anchor and Sheet are empty where the document
// has no such places.
type Source struct {
	Path string `json:"path"`
	Page int    `json:"page,omitempty"` // from 1
	// LastPage is where a text ends that goes on over pages, 0 for one that does not.
	LastPage int    `json:"last_page,omitempty"`
	Anchor   string `json:"anchor,omitempty"`
	Sheet    string `json:"sheet,omitempty"`
}

// String returns the place as a line of text has it, such as "p. 12", "" for none.
func (s *Source) String() string {
	switch {
	case s == nil:
		return ""
	case s.LastPage > 0:
		return fmt.Sprintf("pp. %d–%d", s.Page, s.LastPage)
	case s.Page > 0:
		return fmt.Sprintf("p. %d", s.Page)
	case s.Anchor != "":
		return "#" + s.Anchor
	}
	return s.Sheet
}

// Skip is a file that is left out, and why.
type Skip struct {
	ManualID string `json:"manual_id,omitempty"` // "" where there are no manuals
	Path     string `json:"path"`
	Reason   string `json:"reason"`
	// Files are how many the path stands for, 0 for one.
	Files int `json:"files,omitempty"`
}

// Place is where the file lies, below the folder of manuals if it is in one.
func (s Skip) Place() string {
	if s.ManualID == "" {
		return s.Path // perhaps a URL
	}
	return path.Join(s.ManualID, s.Path)
}

// SkippedFiles counts the files of a list.
func SkippedFiles(skips []Skip) (n int) {
	for _, s := range skips {
		n += max(s.Files, 1)
	}
	return n
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

// CursorAt returns the cursor behind the first char characters of a line.
func CursorAt(line, char int) LineCursor { return LineCursor{&line, &char} }

// Marshal writes JSON in a line without its end and leaves <, > and & as they are, for models and people.
func Marshal(v any) ([]byte, error) {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return bytes.TrimSuffix(buf.Bytes(), []byte("\n")), err
}
