package toolset

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"path"
)

// Action proposes a tool call, or to stop. Params is a valid call as it is.
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

// Ref refers to a section, or to a place in a file.
type Ref struct {
	Target    string `json:"target,omitempty"` // manual or vault
	ManualID  string `json:"manual_id,omitempty"`
	Path      string `json:"path,omitempty"`
	StartLine int    `json:"start_line,omitempty"`
	EndLine   int    `json:"end_line,omitempty"` // of a ref into the vault
	// Source is where a converted or imported section begins in its document, or nil.
	Source *Source `json:"source,omitempty"`
}

// Source is a place in a document that was converted to text. Page, Anchor and Sheet are empty if the document has no
// such places.
type Source struct {
	Path string `json:"path"`
	Page int    `json:"page,omitempty"` // from 1
	// LastPage is the last page of a text on several pages, or 0.
	LastPage int    `json:"last_page,omitempty"`
	Anchor   string `json:"anchor,omitempty"`
	Sheet    string `json:"sheet,omitempty"`
}

// String returns the place for a line of text, such as "p. 12", or "".
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

// Skip is a skipped file with the reason.
type Skip struct {
	ManualID string `json:"manual_id,omitempty"` // "" if there are no manuals
	Path     string `json:"path"`
	Reason   string `json:"reason"`
	// Files is the number of files that the path represents; 0 means one.
	Files int `json:"files,omitempty"`
}

// Place returns the path of the file, including its manual if it has one.
func (s Skip) Place() string {
	if s.ManualID == "" {
		return s.Path // may be a URL
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

// Cursor is where reading a file continues, in code points from its start; nil at its end.
type Cursor struct {
	CharOffset *int `json:"char_offset"`
}

// LineCursor is a [Cursor] that counts from the start of a line.
type LineCursor struct {
	StartLine  *int `json:"start_line" min:"1"`
	CharOffset *int `json:"char_offset" min:"0"`
}

// CursorAt returns the cursor behind the first char characters of a line.
func CursorAt(line, char int) LineCursor { return LineCursor{&line, &char} }

// Marshal encodes JSON on one line without a line end, and does not escape <, > and &, for models and people.
func Marshal(v any) ([]byte, error) {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return bytes.TrimSuffix(buf.Bytes(), []byte("\n")), err
}

// Proposer is implemented by results that propose calls of tools with Remembers set.
type Proposer interface {
	Proposed() []Action
}

// Linker is implemented by results that show sections, best first.
type Linker interface {
	Sections() []Ref
}

// Counter is implemented by results with figures for the log: pairs of name and value.
type Counter interface {
	Counters() []any
}
