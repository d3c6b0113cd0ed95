package manuals

import "github.com/sagasu-search/sagasu/framework/internal/toolset"

// Ref points at a place in a manual.
type Ref struct {
	ManualID  string `json:"manual_id"`
	Path      string `json:"path"`
	StartLine *int   `json:"start_line"`
	// Title, if not empty, is that of the section meant, which may stand on another line by now.
	Title    string  `json:"title"`
	JSONPath *string `json:"json_path"` // JSON pointer of a value in a JSON file
}

// ReadRequest is one manual_read call.
type ReadRequest struct {
	Ref Ref
	// Scope is snippet, section, sections or file; "" is section for
	// Markdown and file for JSON.
	Scope string
	// AllowFile is the caller's consent to read a whole Markdown file.
	AllowFile bool
	// BeforeChars and AfterChars widen a snippet by code points, ≥ 0.
	BeforeChars, AfterChars *int
}

// Reading is the answer to manual_read. Where more text follows, NextCursor is
// the cursor for a manual_scan that goes on after Text.
type Reading struct {
	Text         string        `json:"text"`
	Truncated    bool          `json:"truncated"`
	Applied      Applied       `json:"applied"`
	AppliedRange toolset.Range `json:"applied_range"`
	// NextCursor and EOF are set when the text was cut and when the answer is a scan.
	NextCursor *toolset.Cursor `json:"next_cursor,omitempty"`
	EOF        *bool           `json:"eof,omitempty"`
}

// Applied tells what a reading was limited by.
type Applied struct {
	Scope       string `json:"scope"`
	MaxSections *int   `json:"max_sections"` // null where the scope does not count sections
	MaxChars    int    `json:"max_chars"`
	Mode        string `json:"mode"` // read or scan_fallback
}

// The scopes of manual_read.
const (
	ScopeSnippet  = "snippet"
	ScopeSection  = "section"
	ScopeSections = "sections"
	ScopeFile     = "file"
)

// The modes of manual_read.
const (
	ModeRead         = "read"
	ModeScanFallback = "scan_fallback"
)
