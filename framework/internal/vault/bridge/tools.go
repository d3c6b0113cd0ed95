package bridge

import (
	"encoding/json"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/rootfs"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// CopySectionArgs are the arguments of bridge_copy_section.
type CopySectionArgs struct {
	From   Ref            `json:"from_ref" required:"an object with manual_id and path, as manual_hits lists them"`
	Range  *toolset.Range `json:"range" doc:"Lines of the file, instead of the section."`
	To     rootfs.Path    `json:"to_path" required:"the path of a file in the vault, such as drafts/source.md" minLength:"1" doc:"In the vault."`
	Mode   string         `json:"mode" required:"one of overwrite, append" enum:"overwrite,append" doc:"Of a file that exists."`
	Limits SectionLimits  `json:"limits"`
}

// SectionLimits bound the copy of a section; nil copies all.
type SectionLimits struct {
	MaxSections *int `json:"max_sections" min:"1"`
	MaxChars    *int `json:"max_chars" min:"1"`
	AllowFile   bool `json:"allow_file" default:"false" doc:"For a whole .md file, where allowed."`
}

// Ref is a place in a manual as manual_hits lists it. A Markdown ref without a line is the
// file's first section, a JSON ref the whole file.
type Ref struct {
	Target    string          `json:"target,omitempty" enum:"manual"`
	ManualID  corpus.ManualID `json:"manual_id" required:"the manual_id that manual_hits lists in the ref, or once beside items for all refs of the page" minLength:"1"`
	Path      rootfs.Path     `json:"path" required:"the path of a file in the manual; a whole manual cannot be copied" minLength:"1"`
	StartLine *int            `json:"start_line" min:"1" doc:"A line of it."`
	JSONPath  *jsonPath       `json:"json_path"`
	Title     string          `json:"title,omitempty" doc:"Finds it if moved."`
	Signals   []string        `json:"signals"`
	Source    json.RawMessage `json:"source" schema:"object"` // of a converted document; not used
}

// jsonPath is a member of refs that must be null here.
type jsonPath struct{}

// ReadArgument implements [toolset.Reader].
func (*jsonPath) ReadArgument(a *toolset.Arguments, name string) {
	a.Ignore(name, "nothing: a JSON file is copied whole, or by range")
}

// JSONSchema implements [toolset.Schemer].
func (*jsonPath) JSONSchema() *jsonschema.Schema { return &jsonschema.Schema{Type: "null"} }

// CopyFileArgs are the arguments of bridge_copy_file.
type CopyFileArgs struct {
	Path     rootfs.Path     `json:"from_path" required:"the path of a file in the manual" minLength:"1" doc:"Below the manual."`
	ManualID corpus.ManualID `json:"manual_id" required:"the id of a manual, as manual_ls lists them" minLength:"1"`
	To       rootfs.Path     `json:"to_path" required:"the path of a file in the vault, such as drafts/source.md" minLength:"1" doc:"In the vault."`
	Mode     string          `json:"mode" required:"one of overwrite, append" enum:"overwrite,append" doc:"Of a file that exists."`
	Limits   FileLimits      `json:"limits"`
}

// FileLimits bound the copy of a file; nil copies all.
type FileLimits struct {
	MaxChars  *int `json:"max_chars" min:"1"`
	AllowFile bool `json:"allow_file" default:"false"`
}

// Copied is the result of bridge_copy_file. It holds nothing of the text.
type Copied struct {
	WrittenPath  string   `json:"written_path"`
	WrittenBytes int      `json:"written_bytes" doc:"Bytes of the source that were copied, without its note."`
	Truncated    bool     `json:"truncated"`
	NotedIn      string   `json:"noted_in" optional:"" doc:"Where the origin is told: front_matter, or the path of a note in .system."`
	SHA256       string   `json:"sha256" doc:"Of the file as it is after the call, in hexadecimal."`
	Source       Cited    `json:"source" optional:"" schema:"object" doc:"Where the text came from: manual, path and lines."`
	Warnings     []string `json:"warnings,omitempty" schema:"-"`
	Replaced     bool     `json:"-"` // other text, which is kept as an earlier version
}

// Cited is the source of a copy, and what of its document could not be read, "" where all was.
type Cited struct {
	Source
	Lacks string `json:"lacks,omitempty"`
}

// Counters implements [toolset.Counter].
func (c *Copied) Counters() []any {
	return []any{
		"written", c.WrittenPath, "bytes", c.WrittenBytes, "truncated", c.Truncated,
		"manual_id", c.Source.ManualID, "source", c.Source.Path,
	}
}

// CopiedSection is the result of bridge_copy_section.
type CopiedSection struct {
	Copied
	WrittenSections int `json:"written_sections" doc:"Whole or in part."` // at least 1
}

var changing = toolset.Hints{Destructive: true}

// Tools returns the tools of the bridge.
func (b *Bridge) Tools() []toolset.Tool {
	return []toolset.Tool{
		toolset.Define(toolset.Tool{
			Name: "bridge_copy_section", Title: "Copy a section into the vault", Group: "bridge", Hints: changing,
			Description: "Copy a section of a manual, with what lies below it, or a range of lines, into a file of " +
				"the vault without reading it. Its origin is noted. " +
				`Example: {"from_ref": {"manual_id": "aoba-nas", "path": "06-disk-raid.md", "start_line": 12}, "to_path": "drafts/raid.md", "mode": "append"}`,
			Example: json.RawMessage(`{"from_ref": {"manual_id": "id of a manual", "path": "guide/setup.md", "start_line": 1}, "range": null, "to_path": "drafts/source.md", "mode": "append", "limits": {"max_sections": 20, "max_chars": 8000, "allow_file": false}}`),
		}, b.CopySection),
		toolset.Define(toolset.Tool{
			Name: "bridge_copy_file", Title: "Copy a file into the vault", Group: "bridge", Hints: changing,
			Description: "Copy a file of a manual into the vault without reading it. A .md file needs " +
				"limits.allow_file, and a server that allows it. " +
				`Example: {"manual_id": "aoba-nas", "from_path": "spec.json", "to_path": "drafts/spec.json", "mode": "overwrite"}`,
			Example: json.RawMessage(`{"from_path": "spec.json", "manual_id": "id of a manual", "to_path": "drafts/spec.json", "mode": "overwrite", "limits": {"max_chars": 8000, "allow_file": false}}`),
		}, b.CopyFile),
	}
}
