package vault

import (
	"encoding/json"

	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// Tools returns the tools that read, write and audit the files of the vault.
func (v *Vault) Tools() []toolset.Tool {
	return []toolset.Tool{
		toolset.Define(toolset.Tool{
			Name: "vault_ls", Title: "List a folder of the vault", Group: group, Hints: toolset.Reading,
			Description: `List one level of the vault: files with their size, and folders. Example: {"relative_dir": "artifacts"}`,
			Example:     json.RawMessage(`{"relative_dir": "artifacts", "include_system": false}`),
		}, v.Ls),
		toolset.Define(toolset.Tool{
			Name: "vault_create", Title: "Make a file in the vault", Group: group,
			Description: "Make a new file. Finished work goes to artifacts/ (.md, .json), the day's notes to " +
				"artifacts/daily/YYYY-MM-DD.md, drafts to drafts/, notes to notes/. At most 1 MiB a call: append " +
				"the rest. " +
				`Example: {"path": "artifacts/raid-plan.md", "content": "# Plan\n"}`,
			Example: json.RawMessage(`{"path": "artifacts/raid-plan.md", "content": "# Plan\n"}`),
		}, v.Create),
		toolset.Define(toolset.Tool{
			Name: "vault_write", Title: "Overwrite a file of the vault, or append to it",
			Group: group, Hints: toolset.Hints{Destructive: true},
			Description: "Overwrite a file, or append content as it stands (end it with a line break). What is " +
				"overwritten is kept. Daily files can only be appended to. " +
				`Example: {"path": "artifacts/daily/2026-01-31.md", "content": "- 10:00 RAID checked\n", "mode": "append"}`,
			Example: json.RawMessage(`{"path": "artifacts/raid-plan.md", "content": "## Next\n", "mode": "append", "expected_sha256": "the sha256 of the file as you know it"}`),
		}, v.Write),
		toolset.Define(toolset.Tool{
			Name: "vault_replace", Title: "Replace text in a file of the vault",
			Group: group, Hints: toolset.Hints{Destructive: true},
			Description: "Replace literal text. What was there is kept. " +
				`Example: {"path": "artifacts/raid-plan.md", "find": "RAID 5", "replace": "RAID 6"}`,
			Example: json.RawMessage(`{"path": "artifacts/raid-plan.md", "find": "RAID 5", "replace": "RAID 6", "max_replacements": 1, "expected_sha256": "the sha256 of the file as you know it"}`),
		}, v.Replace),
		toolset.Define(toolset.Tool{
			Name: "vault_read", Title: "Read a file of the vault", Group: group, Hints: toolset.Reading,
			MaxChars: toolset.TextChars(v.options.MaxChars),
			Description: "Read a range of lines, or with full the whole file; offset goes on behind a cut. " +
				`Example: {"path": "artifacts/raid-plan.md", "range": {"start_line": 1, "end_line": 40}}`,
			Example: json.RawMessage(`{"path": "artifacts/raid-plan.md", "range": {"start_line": 1, "end_line": 40}, "offset": null, "limits": {"max_chars": 4000}}`),
		}, v.Read),
		toolset.Define(toolset.Tool{
			Name: "vault_scan", Title: "Scan a file of the vault",
			Group: group, Hints: toolset.Reading, Remembers: true,
			MaxChars: toolset.TextChars(v.options.MaxChars),
			Description: "Read a file piece by piece: pass on next_cursor until eof. With cited_ranges, the lines " +
				"used so far, it begins at the first unused one, and says when to stop. " +
				`Example: {"path": "drafts/source.md", "chunk_lines": 80, "cited_ranges": [{"start_line": 1, "end_line": 40}]}`,
			Example: json.RawMessage(`{"path": "drafts/source.md", "cursor": {"start_line": 1, "char_offset": 0}, "chunk_lines": 80, "limits": {"max_chars": 4000}, "cited_ranges": [{"start_line": 1, "end_line": 40}]}`),
		}, v.Scan),
		toolset.Define(toolset.Tool{
			Name: "vault_search", Title: "Search lines of the vault", Group: group, Hints: toolset.Reading,
			Description: "List the lines of the vault that match (RE2, or plain letters, or loose: whatever case, " +
				"width and separators). " +
				`Example: {"query": "RAID ?[56]", "mode": "regex", "glob": "*.md"}`,
			Example: json.RawMessage(`{"query": "RAID", "mode": "plain", "glob": "*.md", "relative_dir": "artifacts", "limit": 50}`),
		}, v.Search),
		toolset.Define(toolset.Tool{
			Name: "vault_coverage", Title: "Tell which lines are cited", Group: group, Hints: toolset.Reading,
			Description: "Tell which lines the cited ranges cover and which not. " +
				`Example: {"path": "drafts/source.md", "cited_ranges": [{"start_line": 1, "end_line": 40}]}`,
			Example: json.RawMessage(`{"path": "drafts/source.md", "cited_ranges": [{"start_line": 1, "end_line": 40}]}`),
		}, v.Coverage),
		toolset.Define(toolset.Tool{
			Name: "artifact_audit", Title: "Check an artifact against its source",
			Group: group, Hints: toolset.Reading, Remembers: true,
			Description: "List what in an artifact cites no source lines, hangs in the air, leads nowhere or states " +
				"figures that the cited lines lack, and how much of the source is cited. Elements cite with " +
				"source_lines: N-M beside them. " +
				`Example: {"artifact_path": "artifacts/raid-plan.md", "source_path": "drafts/source.md"}`,
			Example: json.RawMessage(`{"artifact_path": "artifacts/raid-plan.md", "source_path": "drafts/source.md", "cited_ranges": [{"start_line": 1, "end_line": 40}], "require_source_lines": true}`),
		}, v.Audit),
	}
}

// instructions tell a client's model how the vault is used, once it can write there.
const instructions = `

Finished work goes into the vault: artifacts/ (.md, .json), the day's notes into artifacts/daily/YYYY-MM-DD.md (vault_create, then vault_write append). Answer with a summary and the path. vault_scan with cited_ranges finds what is not yet used, artifact_audit what has no source_lines.
Copy from manuals, unread, with bridge_copy_section.`

// group is the name under which TOOLSETS switches the tools of the vault on.
const group = "vault"
