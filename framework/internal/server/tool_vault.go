package server

import (
	"context"
	"encoding/json"

	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/framework/internal/vault"
	"github.com/sagasu-search/sagasu/framework/internal/vault/audit"
)

// Vault keeps files.
type Vault interface {
	Ls(ctx context.Context, dir string, system bool) (*vault.Listing, error)
	Create(ctx context.Context, path, content string) (*vault.Written, error)
	Write(ctx context.Context, req vault.WriteRequest) (*vault.Written, error)
	Replace(ctx context.Context, req vault.ReplaceRequest) (*vault.Replaced, error)
	Read(ctx context.Context, req vault.ReadRequest) (*vault.Reading, error)
	Scan(ctx context.Context, req vault.ScanRequest, memory *vault.Memory) (*vault.Scan, error)
	Search(ctx context.Context, req vault.SearchRequest) (*vault.SearchResult, error)
	Coverage(ctx context.Context, path string, ranges []toolset.Range) (*vault.Coverage, error)
	Audit(ctx context.Context, req vault.AuditRequest, memory *vault.Memory) (*audit.Report, error)
}

// vaultTools are the tools of the vault and of the bridge to it, as far as there
// is something behind them.
func vaultTools(o Options) []Tool {
	var all []Tool
	if o.Vault != nil {
		all = append(all, vaultLsTool(o.Vault), vaultCreateTool(o.Vault), vaultWriteTool(o.Vault), vaultReplaceTool(o.Vault),
			vaultReadTool(o.Vault), vaultScanTool(o.Vault), vaultSearchTool(o.Vault))
	}
	for _, t := range o.VaultFind {
		all = append(all, typedTool(t))
	}
	if o.Vault != nil {
		all = append(all, vaultCoverageTool(o.Vault), auditTool(o.Vault))
	}
	if o.Bridge != nil {
		all = append(all, copySectionTool(o.Bridge), copyFileTool(o.Bridge))
	}
	return all
}

var (
	// making adds a file and changes none.
	making = Hints{}
	// changing writes over what is there.
	changing = Hints{Destructive: true}
)

func vaultLsTool(v Vault) Tool {
	return Tool{
		Name:        "vault_ls",
		Title:       "List a folder of the vault",
		Description: `List one level of the vault: files with their size, and folders. Example: {"relative_dir": "artifacts"}`,
		Input: json.RawMessage(`{
	"type": "object",
	"properties": {
		"relative_dir": {"type": ["string", "null"], "description": "A folder below the vault; the vault itself when not given."},
		"include_system": {"type": ["boolean", "null"], "default": false, "description": "Show what is reserved, too."}
	},
	"additionalProperties": false
}`),
		Output: output(`{
	"entries": {"type": "array", "items": {
		"type": "object",
		"properties": {"path": {"type": "string"}, "type": {"type": "string", "enum": ["file", "dir"]}, "size_bytes": {"type": ["integer", "null"]}},
		"required": ["path", "type", "size_bytes"]
	}},
	"skipped": {"type": "array", "description": "What cannot be asked for, and why.", "items": {"type": "object"}}
}`, "entries"),
		Example: json.RawMessage(`{"relative_dir": "artifacts", "include_system": false}`),
		Toolset: "vault",
		Hints:   reading,
		Handle: func(ctx context.Context, args *Arguments, _ *Session) (any, error) {
			dir, all := args.Path("relative_dir"), or(args.Bool("include_system"), false)
			if err := args.Err(); err != nil {
				return nil, err
			}
			return v.Ls(ctx, dir, all)
		},
	}
}

// vaultPath takes the path of a file in the vault.
func (a *Arguments) vaultPath() string {
	return a.RequiredPath("path", "the path of a file in the vault, such as artifacts/plan.md")
}

const writtenOutput = `{
	"written_path": {"type": "string", "description": "As stored."},
	"written_bytes": {"type": "integer"},
	"sha256": {"type": "string", "description": "Of the file's new content; ready for expected_sha256."}
}`

func vaultCreateTool(v Vault) Tool {
	return Tool{
		Name:  "vault_create",
		Title: "Make a file in the vault",
		Description: "Make a new file, with the folders above it. Finished work goes to artifacts/ (.md or .json only), " +
			"the day's notes to artifacts/daily/YYYY-MM-DD.md, drafts to drafts/, notes to notes/. " +
			`An existing file is a conflict: use vault_write. A call holds at most 1 MiB: append what is longer in pieces. Example: {"path": "artifacts/raid-plan.md", "content": "# Plan\n"}`,
		Input: json.RawMessage(`{
	"type": "object",
	"properties": {"path": ` + vaultPathSchema + `, "content": {"type": "string"}},
	"required": ["path", "content"],
	"additionalProperties": false
}`),
		Output:  output(writtenOutput, "written_path", "written_bytes", "sha256"),
		Example: json.RawMessage(`{"path": "artifacts/raid-plan.md", "content": "# Plan\n"}`),
		Toolset: "vault",
		Hints:   making,
		Handle: func(ctx context.Context, args *Arguments, _ *Session) (any, error) {
			path, content := args.vaultPath(), args.RequiredText("content", "the file's text")
			if err := args.Err(); err != nil {
				return nil, err
			}
			return v.Create(ctx, path, content)
		},
	}
}

const sumSchema = `{"type": ["string", "null"], "pattern": "^[0-9a-fA-F]{64}$", "description": "Write only if this is the file's SHA-256 now."}`

func vaultWriteTool(v Vault) Tool {
	return Tool{
		Name:  "vault_write",
		Title: "Overwrite a file of the vault, or append to it",
		Description: "Change an existing file: overwrite it, or append content as it stands (end it with a line break). " +
			"What is overwritten is kept as history. Files in artifacts/daily/ can only be appended to. " +
			`Example: {"path": "artifacts/daily/2026-01-31.md", "content": "- 10:00 RAID checked\n", "mode": "append"}`,
		Input: json.RawMessage(`{
	"type": "object",
	"properties": {
		"path": ` + vaultPathSchema + `,
		"content": {"type": "string"},
		"mode": {"type": "string", "enum": ["overwrite", "append"]},
		"expected_sha256": ` + sumSchema + `
	},
	"required": ["path", "content", "mode"],
	"additionalProperties": false
}`),
		Output:  output(writtenOutput, "written_path", "written_bytes", "sha256"),
		Example: json.RawMessage(`{"path": "artifacts/raid-plan.md", "content": "## Next\n", "mode": "append", "expected_sha256": "the sha256 of the file as you know it"}`),
		Toolset: "vault",
		Hints:   changing,
		Handle: func(ctx context.Context, args *Arguments, _ *Session) (any, error) {
			req := vault.WriteRequest{
				Path: args.vaultPath(), Content: args.RequiredText("content", "the text to write"),
				Mode: args.requiredMode(), ExpectedSHA256: args.FilledText("expected_sha256"),
			}
			if err := args.Err(); err != nil {
				return nil, err
			}
			return v.Write(ctx, req)
		},
	}
}

// requiredMode takes the mode of writing.
func (a *Arguments) requiredMode() string {
	if _, given := a.value.find("mode"); !given {
		return a.RequiredText("mode", "one of overwrite, append")
	}
	return a.Choice("mode", vault.ModeOverwrite, vault.ModeAppend)
}

func vaultReplaceTool(v Vault) Tool {
	return Tool{
		Name:  "vault_replace",
		Title: "Replace text in a file of the vault",
		Description: "Replace literal text, the first place only unless max_replacements says more. What was there is kept as history. " +
			`Example: {"path": "artifacts/raid-plan.md", "find": "RAID 5", "replace": "RAID 6"}`,
		Input: json.RawMessage(`{
	"type": "object",
	"properties": {
		"path": ` + vaultPathSchema + `,
		"find": {"type": "string", "minLength": 1, "description": "To the letter; no pattern."},
		"replace": {"type": "string"},
		"max_replacements": {"type": ["integer", "null"], "minimum": 1, "default": 1},
		"expected_sha256": ` + sumSchema + `
	},
	"required": ["path", "find", "replace"],
	"additionalProperties": false
}`),
		Output: output(`{
	"written_path": {"type": "string"},
	"replacements": {"type": "integer"},
	"remaining": {"type": "integer", "description": "Places left as they are."},
	"sha256": {"type": "string"}
}`, "written_path", "replacements", "sha256"),
		Example: json.RawMessage(`{"path": "artifacts/raid-plan.md", "find": "RAID 5", "replace": "RAID 6", "max_replacements": 1, "expected_sha256": "the sha256 of the file as you know it"}`),
		Toolset: "vault",
		Hints:   changing,
		Handle: func(ctx context.Context, args *Arguments, _ *Session) (any, error) {
			req := vault.ReplaceRequest{
				Path: args.vaultPath(), Find: args.requiredLetters("find", "the text to replace"),
				Replace:         args.RequiredText("replace", "the text to put in its place; it may be empty"),
				MaxReplacements: or(args.Int("max_replacements", 1, Unbounded), 1),
				ExpectedSHA256:  args.FilledText("expected_sha256"),
			}
			if err := args.Err(); err != nil {
				return nil, err
			}
			return v.Replace(ctx, req)
		},
	}
}

// requiredLetters takes a text of which white space counts, but that is not empty.
func (a *Arguments) requiredLetters(name, expected string) string {
	text := a.RequiredText(name, expected)
	if n, given := a.value.find(name); given && n.kind == '"' && text == "" {
		a.wrong(name, n, expected+", not empty")
	}
	return text
}
