package manuals

import (
	"context"
	"encoding/json"
	"errors"
	"unicode/utf8"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/rootfs"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

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
	ModeScanFallback = "scan_fallback" // what follows a section that was read before
)

// ReadArgs are the arguments of manual_read.
type ReadArgs struct {
	Ref Ref `json:"ref" required:"an object with manual_id and path, as manual_hits lists them"`
	// Scope "" is section for Markdown and file for JSON.
	Scope     string `json:"scope,omitempty" enum:"snippet,section,sections,file" doc:"section for .md, file for .json when not given."`
	AllowFile bool   `json:"allow_file" default:"false" doc:"Needed for a whole .md file, together with the server's ALLOW_FILE_SCOPE."`
	Expand    Expand `json:"expand" doc:"Widens a snippet."`
}

// Ref points at a place in a manual.
type Ref struct {
	Target    string          `json:"target,omitempty" enum:"manual"`
	ManualID  corpus.ManualID `json:"manual_id" required:"the id of a manual, as manual_ls lists them" minLength:"1"`
	Path      rootfs.Path     `json:"path" required:"the path of a file in the manual" minLength:"1"`
	StartLine *int            `json:"start_line" min:"1" doc:"A line of the wanted section; the file's first section when not given."`
	JSONPath  *string         `json:"json_path" doc:"JSON pointer of the value to read in a JSON file."`
	Title     string          `json:"title" doc:"Of the wanted section: found also where edits have moved it."`
	Signals   []string        `json:"signals"` // of a row of hits; not used
}

// Expand widens a snippet by code points.
type Expand struct {
	BeforeChars int `json:"before_chars" min:"0"`
	AfterChars  int `json:"after_chars" min:"0"`
}

// Reading is the answer to manual_read.
type Reading struct {
	Text         string        `json:"text"`
	Truncated    bool          `json:"truncated"`
	Applied      Applied       `json:"applied"`
	AppliedRange toolset.Range `json:"applied_range" optional:""`
	// NextCursor and EOF are set when the text was cut and when the answer is a scan.
	NextCursor *toolset.Cursor `json:"next_cursor,omitempty" doc:"When more text follows: the cursor for a manual_scan that goes on."`
	EOF        *bool           `json:"eof,omitempty"`
}

// Counters implements [toolset.Counter].
func (r *Reading) Counters() []any {
	return []any{"chars", utf8.RuneCountInString(r.Text), "truncated", r.Truncated}
}

// Applied is what a reading was limited by.
type Applied struct {
	Scope       string `json:"scope" enum:"snippet,section,sections,file"`
	MaxSections *int   `json:"max_sections" optional:""` // null where the scope does not count sections
	MaxChars    int    `json:"max_chars"`
	Mode        string `json:"mode" enum:"read,scan_fallback"`
}

func (l *Library) readTool() toolset.Tool {
	return toolset.Define(toolset.Tool{
		Name:  "manual_read",
		Title: "Read a section",
		Description: "Read the text that a ref points at: by default the whole section of a Markdown file, or a " +
			"JSON file. Take refs from manual_hits or next_actions. Asking for the same section again goes on " +
			"after it. " +
			`Example: {"ref": {"manual_id": "aoba-nas", "path": "06-disk-raid.md", "start_line": 12}}`,
		Example: json.RawMessage(`{"ref": {"manual_id": "id of a manual", "path": "guide/setup.md", "start_line": 1}, "scope": "section", "allow_file": false, "expand": {"before_chars": 0, "after_chars": 0}}`),
		Hints:   toolset.Reading,
		Group:   group,
	}, l.Read)
}

// Read reads what a ref points at, at most MaxChars code points. A section asked for again in the
// same session goes on with the text after it.
func (l *Library) Read(ctx context.Context, args ReadArgs) (*Reading, error) {
	ref := args.Ref
	d, err := l.open(ctx, ref.ManualID, ref.Path)
	if err != nil {
		return nil, nameRef(err)
	}
	scope, err := l.scope(d, args)
	if err != nil {
		return nil, err
	}
	if ref.StartLine, err = d.refLine(ref, scope); err != nil {
		return nil, err
	}
	pointer, err := d.pointer(ref)
	if err != nil {
		return nil, err
	}
	switch scope {
	case ScopeSnippet:
		l.used(d, 0)
		return d.snippet(ref.StartLine, pointer, args.Expand), nil
	case ScopeFile:
		l.used(d, 0)
		return d.file(pointer), nil
	}
	r, begin, err := d.section(scope, ref.StartLine, toolset.Remembered(ctx, newMemory))
	if err == nil {
		l.used(d, begin)
	}
	return r, err
}

func (l *Library) used(d *document, line int) {
	if l.options.Used != nil {
		l.options.Used(d.manual, d.path, line)
	}
}

// scope returns the scope that the arguments mean, and fails where it may not be read.
func (l *Library) scope(d *document, args ReadArgs) (string, error) {
	json := corpus.IsJSON(d.path)
	switch {
	case args.Scope == "" && json:
		return ScopeFile, nil
	case args.Scope == "":
		return ScopeSection, nil
	case json && (args.Scope == ScopeSection || args.Scope == ScopeSections):
		return "", toolset.Errorf(toolset.InvalidScope, "a .json file has no sections; use scope file or snippet").
			Argument("scope", args.Scope, "file or snippet").With("example", example(d, ScopeFile))
	case !json && args.Scope == ScopeFile:
		return args.Scope, l.mayReadFile(d, args.AllowFile)
	}
	return args.Scope, nil
}

// mayReadFile fails without the server's permission and the caller's consent to read a whole Markdown file.
func (l *Library) mayReadFile(d *document, consent bool) error {
	switch {
	case !l.options.AllowFileScope:
		return toolset.Errorf(toolset.Forbidden,
			"scope file is switched off for .md files; read sections, or scan the file with manual_scan").
			Argument("scope", ScopeFile, "section, sections or snippet unless the server sets ALLOW_FILE_SCOPE=true").
			With("example", example(d, ScopeSection))
	case !consent:
		return toolset.Errorf(toolset.Forbidden, "scope file of a .md file needs allow_file=true").
			Argument("allow_file", false, true)
	}
	return nil
}

func example(d *document, scope string) map[string]any {
	return map[string]any{"ref": map[string]any{"manual_id": d.manual, "path": d.path}, "scope": scope}
}

// nameRef names the members of ref in an error about a manual or a path.
func nameRef(err error) error {
	bad, ok := errors.AsType[*toolset.Error](err)
	if !ok {
		return err
	}
	if name := bad.Details["parameter"]; name == "manual_id" || name == "path" {
		bad.With("parameter", "ref."+name.(string))
	}
	return bad
}

// reading returns an answer in mode read; more reports that the scope goes on after the piece.
func reading(scope string, p piece, more bool) *Reading {
	r := &Reading{
		Text: p.text, Truncated: more,
		Applied:      Applied{Scope: scope, MaxChars: MaxChars, Mode: ModeRead},
		AppliedRange: p.lines,
	}
	if scope == ScopeSection || scope == ScopeSections {
		r.Applied.MaxSections = new(MaxSections)
	}
	if r.Truncated {
		r.NextCursor = &p.next
	}
	return r
}
