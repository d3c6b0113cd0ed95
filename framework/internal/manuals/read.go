package manuals

import (
	"cmp"
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
	scopeSnippet  = "snippet"
	scopeSection  = "section"
	scopeSections = "sections"
	scopeFile     = "file"
)

// The modes of manual_read.
const (
	modeRead         = "read"
	modeScanFallback = "scan_fallback" // continues after what the ref points to
)

// ReadArgs are the arguments of manual_read.
type ReadArgs struct {
	Ref  *Ref  `json:"ref"`
	Refs []Ref `json:"refs" minItems:"1" maxItems:"20" schema:"objects" doc:"Several instead of ref, each like it."`
	// Scope "" is section for Markdown and file for JSON.
	Scope       string      `json:"scope,omitempty" enum:"snippet,section,sections,file" doc:"section for .md, file for .json by default."`
	AllowFile   bool        `json:"allow_file" default:"false" doc:"For a whole .md file, where allowed."`
	Expand      Expand      `json:"expand" doc:"Widens a snippet."`
	MaxChars    int         `json:"max_chars,omitempty" min:"1" max:"12000" doc:"12000 when not given."`
	MaxTokens   int         `json:"max_tokens,omitempty" min:"100" max:"50000"`
	LineNumbers bool        `json:"line_numbers" default:"false" doc:"Number each line."`
	Cursor      *ReadCursor `json:"cursor" doc:"next_cursor of the same call."`
}

// ReadCursor is where a reading continues: at a character of a ref's file or, if CharOffset is nil, at the beginning of
// one of refs.
type ReadCursor struct {
	Index      int  `json:"index,omitempty" min:"0"` // of the ref in refs
	CharOffset *int `json:"char_offset" min:"0"`
}

// placeWanted is the error of a call without ref and refs.
const placeWanted = "an object with manual_id and path, as manual_hits lists them, or several in refs"

// PrepareArguments implements [toolset.Preparer]: it requires either ref or refs.
func (*ReadArgs) PrepareArguments(a *toolset.Arguments) { a.Either("ref", "refs", placeWanted) }

// Correct implements [toolset.Corrector].
func (ReadArgs) Correct(call map[string]any) {
	if refs, _ := call["refs"].([]any); call["ref"] != nil || len(refs) == 0 {
		delete(call, "refs")
	}
	if call["ref"] == nil && call["refs"] == nil {
		call["ref"] = map[string]any{"manual_id": "id of a manual", "path": "guide/setup.md"}
	}
}

// Ref points to a place in a manual.
type Ref struct {
	Target    string          `json:"target,omitempty" enum:"manual"`
	ManualID  corpus.ManualID `json:"manual_id" required:"the id of a manual, as manual_ls lists them" minLength:"1"`
	Path      rootfs.Path     `json:"path" required:"the path of a file in the manual" minLength:"1"`
	StartLine *int            `json:"start_line" min:"1" doc:"A line of it."`
	JSONPath  *string         `json:"json_path" doc:"JSON pointer."`
	Title     string          `json:"title" doc:"Finds it if moved."`
	Signals   []string        `json:"signals"` // of a row of hits, like the source; not used
	Source    json.RawMessage `json:"source" schema:"object"`
}

// Expand widens a snippet by code points.
type Expand struct {
	BeforeChars int `json:"before_chars" min:"0"`
	AfterChars  int `json:"after_chars" min:"0"`
}

// Reading is the answer to manual_read.
type Reading struct {
	Text         string        `json:"text" doc:"Empty with refs."`
	Items        []ReadItem    `json:"items,omitempty" schema:"objects" doc:"One for each of refs until the reply is full: index, manual_id, path, text, applied_range; or contained_in (an index), or error."`
	Truncated    bool          `json:"truncated"`
	Applied      Applied       `json:"applied"`
	AppliedRange toolset.Range `json:"applied_range,omitzero"`
	// Source is the place of the text in a converted document.
	Source *toolset.Source `json:"source,omitempty" schema:"-"`
	// NextCursor is set if the text was cut and more of the file follows, EOF if the answer is a scan.
	NextCursor *ReadCursor `json:"next_cursor,omitempty" schema:"object" doc:"When more follows: cursor of the same call that goes on."`
	EOF        *bool       `json:"eof,omitempty"`

	Path string `json:"-"` // of the file, for the log
}

// Counters implements [toolset.Counter].
func (r *Reading) Counters() []any {
	chars, paths := utf8.RuneCountInString(r.Text), []string{}
	for _, item := range r.Items {
		chars, paths = chars+utf8.RuneCountInString(item.Text), append(paths, item.Path)
	}
	out := []any{"chars", chars, "truncated", r.Truncated}
	if r.Items != nil {
		return append(out, "paths", paths)
	}
	return append(out, "path", r.Path)
}

// Applied holds the limits that applied to a reading.
type Applied struct {
	Scope       string `json:"scope,omitempty" enum:"snippet,section,sections,file"` // "" means the scope of each file
	MaxSections *int   `json:"max_sections" optional:""`                             // null if the scope does not count sections
	MaxChars    int    `json:"max_chars"`
	Mode        string `json:"mode" enum:"read,scan_fallback"`
}

func (l *Library) readTool() toolset.Tool {
	return toolset.Define(toolset.Tool{
		Name:  "manual_read",
		Title: "Read a section",
		Description: "Read the section that a ref points at, or several by refs. The same section asked for again " +
			"comes with the lines behind it. " +
			`Example: {"ref": {"manual_id": "aoba-nas", "path": "06-disk-raid.md", "start_line": 12}}`,
		Example:   json.RawMessage(`{"ref": {"manual_id": "id of a manual", "path": "guide/setup.md", "start_line": 1}, "scope": "section", "allow_file": false, "expand": {"before_chars": 0, "after_chars": 0}, "max_chars": 12000, "max_tokens": 2000, "line_numbers": false}`),
		Hints:     toolset.Reading,
		Group:     group,
		Remembers: true,
		MaxChars:  toolset.TextChars(maxChars),
	}, l.Read)
}

// Read reads the text at a ref, or at each of several. If the same session requests a section
// again, it gets the section and the text that follows it.
func (l *Library) Read(ctx context.Context, args ReadArgs) (*Reading, error) {
	if args.Scope != scopeSnippet && args.Expand != (Expand{}) {
		return nil, toolset.Errorf(toolset.InvalidParameter, "expand widens a snippet alone; leave it out, or set "+
			"scope to snippet").Argument("expand", args.Expand, "left out unless scope is snippet")
	}
	args.MaxChars = cmp.Or(args.MaxChars, maxChars)
	if args.Ref == nil {
		return l.readAll(ctx, args)
	}
	return l.readOne(ctx, args)
}

// readOne reads what args.Ref points to.
func (l *Library) readOne(ctx context.Context, args ReadArgs) (*Reading, error) {
	x, err := l.extent(ctx, l.open, *args.Ref, args)
	if err != nil {
		return nil, err
	}
	mode := modeRead
	switch c := args.Cursor; {
	case c != nil && c.Index > 0:
		return nil, toolset.Invalid("cursor.index", c.Index, "left out beside ref")
	case c != nil && c.CharOffset == nil:
		return nil, toolset.Invalid("cursor.char_offset", nil, "the one of next_cursor, or no cursor to begin with ref")
	case c != nil:
		mode, err = x.goOn(*c.CharOffset)
	case x.scope == scopeSection:
		section := toolset.Ref{ManualID: x.manual, Path: x.path, StartLine: x.begin}
		if toolset.Remembered(ctx, newMemory).again(section, x.text) {
			mode, x.end = modeScanFallback, len(x.text)
		}
	}
	if err != nil {
		return nil, err
	}
	r, ok := x.longest(args, func(p piece) *Reading { return x.reading(p, args, mode) })
	if !ok {
		return nil, toolset.TooFew(args.MaxTokens, toolset.Cost(r))
	}
	l.used(x.document, x.begin)
	return r.Reading, nil
}

func (l *Library) used(d *document, line int) {
	if l.options.Used != nil {
		l.options.Used(d.manual, d.path, line)
	}
}

// scope returns the scope that the arguments mean. It fails if that may not be read.
func (l *Library) scope(d *document, args ReadArgs) (string, error) {
	json := corpus.IsJSON(d.path)
	switch {
	case args.Scope == "" && json:
		return scopeFile, nil
	case args.Scope == "":
		return scopeSection, nil
	case json && (args.Scope == scopeSection || args.Scope == scopeSections):
		return "", toolset.Errorf(toolset.InvalidScope, "a .json file has no sections; use scope file or snippet").
			Argument("scope", args.Scope, "file or snippet").With("example", example(d, scopeFile))
	case !json && args.Scope == scopeFile:
		return args.Scope, l.mayReadFile(d, args.AllowFile)
	}
	return args.Scope, nil
}

// mayReadFile fails unless both the server and the caller permit reading a whole Markdown file.
func (l *Library) mayReadFile(d *document, consent bool) error {
	switch {
	case !l.options.AllowFileScope:
		return toolset.Errorf(toolset.Forbidden,
			"scope file is switched off for files with sections; read sections, or scan the file with manual_scan").
			Argument("scope", scopeFile, "section, sections or snippet unless the server sets ALLOW_FILE_SCOPE=true").
			With("example", example(d, scopeSection))
	case !consent:
		return toolset.Errorf(toolset.Forbidden, "scope file of a file with sections needs allow_file=true").
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

// reading returns the answer with a piece of an extent.
func (x *extent) reading(p piece, args ReadArgs, mode string) *Reading {
	r := &Reading{
		Text: x.shown(p, args), Truncated: x.cutBy(p),
		Applied:      Applied{Scope: x.scope, MaxChars: args.MaxChars, Mode: mode},
		AppliedRange: p.lines, Path: x.path, Source: x.Source(p.lines.StartLine, p.lines.EndLine),
	}
	if x.scope == scopeSection || x.scope == scopeSections {
		r.Applied.MaxSections = new(maxSections)
	}
	if (r.Truncated || mode == modeScanFallback) && !p.eof() {
		r.NextCursor = &ReadCursor{CharOffset: p.next.CharOffset}
	}
	if mode == modeScanFallback {
		r.EOF = new(p.eof())
	}
	return r
}
