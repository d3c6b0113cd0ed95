package vault

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	pathpkg "path"
	"strings"
	"unicode/utf8"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/rootfs"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/framework/internal/vault/bridge"
)

// Modes of writing into an existing file.
const (
	ModeOverwrite = string(overwrite)
	ModeAppend    = string(grow)
)

const bom = "\ufeff"

// CreateArgs are the arguments of vault_create.
type CreateArgs struct {
	Path    rootfs.Path `json:"path" required:"the path of a file in the vault, such as artifacts/plan.md" minLength:"1"`
	Content string      `json:"content" required:"the file's text" verbatim:""`
}

// Create makes a new file and the folders above it. An existing one is conflict.
func (v *Vault) Create(ctx context.Context, req CreateArgs) (*Written, error) {
	if err := checkContent("content", req.Content); err != nil {
		return nil, err
	}
	f, err := v.edit(ctx, "path", string(req.Path), create, true, func(now *file) ([]byte, error) {
		if now.exists() {
			return nil, taken(now, req.Content)
		}
		return []byte(req.Content), nil
	})
	return written(f, len(req.Content), err)
}

// mostRepeated is the maximum number of bytes of a text that an error repeats.
const mostRepeated = 400

// repeated returns a text as an error repeats it.
func repeated(text string) string {
	if len(text) > mostRepeated {
		return "…"
	}
	return text
}

// taken returns the error for a file that exists already. Its example, sent as it is, overwrites nothing.
func taken(now *file, content string) error {
	content = repeated(content)
	mode, example := ModeOverwrite, map[string]any{"path": now.free(), "content": content}
	if now.place.zone == daily {
		mode = ModeAppend
		example = map[string]any{"path": now.path(), "content": content, "mode": mode}
	}
	return toolset.Errorf(toolset.Conflict,
		"%s exists already; use vault_write with mode %s, or another path", now.path(), mode).
		Argument("path", now.place.path, "a path where nothing is").
		With("example", example).With("current_sha256", digest(now.text))
}

// free returns a path beside the file's where nothing is.
func (f *file) free() string {
	ext := pathpkg.Ext(f.name)
	for n := 2; ; n++ {
		name := fmt.Sprintf("%s-%d%s", strings.TrimSuffix(f.name, ext), n, ext)
		if _, err := f.folder.root.Lstat(name); err != nil {
			return pathpkg.Join(f.folder.path, name)
		}
	}
}

// WriteArgs are the arguments of vault_write.
type WriteArgs struct {
	Path           rootfs.Path `json:"path" required:"the path of a file in the vault, such as artifacts/plan.md" minLength:"1"`
	Content        string      `json:"content" required:"the text to write" verbatim:""`
	Mode           string      `json:"mode" required:"one of overwrite, append" enum:"overwrite,append"`
	ExpectedSHA256 string      `json:"expected_sha256,omitempty" filled:"" pattern:"^[0-9a-fA-F]{64}$" doc:"From vault_read with full."`
}

// Write changes an existing file; a missing one is not_found.
func (v *Vault) Write(ctx context.Context, req WriteArgs) (*Written, error) {
	if err := checkContent("content", req.Content); err != nil {
		return nil, err
	}
	do := action(req.Mode)
	f, err := v.edit(ctx, "path", string(req.Path), do, false, func(now *file) ([]byte, error) {
		if err := present(now, req.ExpectedSHA256); err != nil {
			return nil, err
		}
		if do == overwrite {
			if len(bridge.Origins(now.text, nil)) > 0 && len(bridge.Origins([]byte(req.Content), nil)) == 0 {
				now.warn("unsourced: source_refs of the front matter, which named what was copied, are gone")
			}
			return []byte(req.Content), nil
		}
		more := req.Content
		if len(now.text) > 0 {
			more = strings.TrimPrefix(more, bom) // one in the middle is a letter that nobody sees
		}
		if err := now.wantText(); err != nil {
			return nil, err
		}
		unended := len(now.text) > 0 && !bytes.HasSuffix(now.text, []byte("\n"))
		if unended && more != "" && more[0] != '\n' && more[0] != '\r' && !corpus.IsJSON(now.name) {
			now.warn("joined: the last line had not ended, so that the text begins on it; " +
				"end each piece with a line break")
		}
		content := append(bytes.Clone(now.text), more...)
		return content, now.keepsJSON("content", repeated(req.Content), do, content)
	})
	return written(f, len(req.Content), err)
}

// keepsJSON fails when appending would make a JSON file invalid. One that is not valid yet may be
// written in pieces.
func (f *file) keepsJSON(param, got string, do action, content []byte) error {
	if do != grow || !corpus.IsJSON(f.name) || !validJSON(f.text) || validJSON(content) {
		return nil
	}
	lines := corpus.NewLines(f.text)
	end := len(bytes.TrimRight(f.text, " \t\r\n"))
	last := lines.At(end - 1)
	return toolset.Errorf(toolset.InvalidParameter,
		"%s holds a whole JSON value, which ends on line %d, and text behind it would break the file; "+
			"read it, and put "+
			"what is new into the value with vault_replace", f.path(), last).
		Argument(param, got, "what leaves the JSON of the file whole").
		With("example", map[string]any{"path": f.path(), "range": toolset.Range{StartLine: last, EndLine: last}})
}

// validJSON reports whether a text is one JSON value, also behind a byte order mark.
func validJSON(text []byte) bool { return json.Valid(bytes.TrimPrefix(text, []byte(bom))) }

// present fails unless the file exists and is the expected one.
func present(now *file, sum string) error {
	if !now.exists() {
		return missing(now.place.path)
	}
	return now.expect(sum)
}

// ReplaceArgs are the arguments of vault_replace.
type ReplaceArgs struct {
	Path            rootfs.Path `json:"path" required:"the path of a file in the vault, such as artifacts/plan.md" minLength:"1"`
	Find            string      `json:"find" required:"the text to replace" minLength:"1" verbatim:"" doc:"To the letter; no pattern."`
	Replace         string      `json:"replace" required:"the text to put in its place; it may be empty" verbatim:""`
	MaxReplacements int         `json:"max_replacements" min:"1" default:"1"` // from the start of the file
	ExpectedSHA256  string      `json:"expected_sha256,omitempty" filled:"" pattern:"^[0-9a-fA-F]{64}$" doc:"From vault_read with full."`
}

// Replaced is the result of vault_replace.
type Replaced struct {
	WrittenPath  string   `json:"written_path"`
	Replacements int      `json:"replacements"`
	Remaining    int      `json:"remaining" optional:"" doc:"Places left as they are."`
	SHA256       string   `json:"sha256"`
	Warnings     []string `json:"warnings,omitempty" schema:"-"`
}

// Counters implements [toolset.Counter].
func (r *Replaced) Counters() []any {
	return []any{"written", r.WrittenPath, "replacements", r.Replacements}
}

// Replace replaces literal text in a file. Text that is not there is not_found.
func (v *Vault) Replace(ctx context.Context, req ReplaceArgs) (*Replaced, error) {
	if err := checkContent("replace", req.Replace); err != nil {
		return nil, err
	}
	out := &Replaced{}
	f, err := v.edit(ctx, "path", string(req.Path), replace, false, func(now *file) ([]byte, error) {
		if err := present(now, req.ExpectedSHA256); err != nil {
			return nil, err
		}
		if err := now.wantText(); err != nil {
			return nil, err
		}
		all := bytes.Count(now.text, []byte(req.Find))
		if all == 0 {
			return nil, req.absent(now)
		}
		out.Replacements = min(all, req.MaxReplacements)
		out.Remaining = all - out.Replacements
		if err := tooLarge(now.path(), len(now.text)+out.Replacements*(len(req.Replace)-len(req.Find))); err != nil {
			return nil, err
		}
		return bytes.Replace(now.text, []byte(req.Find), []byte(req.Replace), out.Replacements), nil
	})
	if err != nil {
		return nil, err
	}
	out.WrittenPath, out.SHA256, out.Warnings = f.path(), digest(f.text), f.warnings
	return out, nil
}

// absent returns the error for a text that a file does not hold.
func (r ReplaceArgs) absent(now *file) error {
	bad := toolset.Errorf(toolset.NotFound, "the text in find does not stand in %s", now.path()).
		Argument("find", repeated(r.Find), "text that stands in the file, to the letter")
	for _, end := range []string{"\n", "\r\n"} {
		ends := strings.NewReplacer("\r\n", end, "\n", end)
		if find := ends.Replace(r.Find); bytes.Contains(now.text, []byte(find)) {
			bad.Message += fmt.Sprintf(", whose lines end with %q; give find and replace with such line ends", end)
			return bad.With("example", map[string]any{
				"path": now.path(), "find": repeated(find), "replace": repeated(ends.Replace(r.Replace)),
			})
		}
	}
	mode, query := corpus.ModeLoose, firstLine(r.Find)
	if _, err := corpus.NewMatcher(mode, query); err != nil {
		mode = corpus.ModePlain
	}
	bad.Message += "; look it up with vault_search, mode " + mode
	return bad.With("example", map[string]any{"query": query, "mode": mode, "glob": rootfs.EscapeGlob(now.path())})
}

// firstLine returns the first line of a text that is not blank, all of a text that is.
func firstLine(text string) string {
	for line := range strings.Lines(text) {
		if line = strings.TrimRight(line, "\r\n"); strings.TrimSpace(line) != "" {
			return line
		}
	}
	return text
}

// checkContent fails for what could not be read back as text.
func checkContent(param, content string) error {
	if strings.Contains(content, "\x00") || !utf8.ValidString(content) {
		return toolset.Invalid(param, fmt.Sprintf("%d bytes", len(content)), "UTF-8 text without NUL")
	}
	return nil
}

// written returns the result of a write of n bytes.
func written(f *file, n int, err error) (*Written, error) {
	if err != nil {
		return nil, err
	}
	return &Written{WrittenPath: f.path(), WrittenBytes: n, SHA256: digest(f.text), Warnings: f.warnings}, nil
}
