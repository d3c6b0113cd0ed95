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
			Description: "Make a new file, with the folders above it. Finished work goes to artifacts/ (.md or " +
				".json only), the day's notes to artifacts/daily/YYYY-MM-DD.md, drafts to drafts/, notes to " +
				"notes/. " +
				`An existing file is a conflict: use vault_write. A call holds at most 1 MiB: append what is longer in pieces. Example: {"path": "artifacts/raid-plan.md", "content": "# Plan\n"}`,
			Example: json.RawMessage(`{"path": "artifacts/raid-plan.md", "content": "# Plan\n"}`),
		}, v.Create),
		toolset.Define(toolset.Tool{
			Name: "vault_write", Title: "Overwrite a file of the vault, or append to it",
			Group: group, Hints: toolset.Hints{Destructive: true},
			Description: "Change an existing file: overwrite it, or append content as it stands (end it with a " +
				"line break). What is overwritten is kept as history. Files in artifacts/daily/ can only be " +
				"appended to. " +
				`Example: {"path": "artifacts/daily/2026-01-31.md", "content": "- 10:00 RAID checked\n", "mode": "append"}`,
			Example: json.RawMessage(`{"path": "artifacts/raid-plan.md", "content": "## Next\n", "mode": "append", "expected_sha256": "the sha256 of the file as you know it"}`),
		}, v.Write),
		toolset.Define(toolset.Tool{
			Name: "vault_replace", Title: "Replace text in a file of the vault",
			Group: group, Hints: toolset.Hints{Destructive: true},
			Description: "Replace literal text, the first place only unless max_replacements says more. What was " +
				"there is kept as history. " +
				`Example: {"path": "artifacts/raid-plan.md", "find": "RAID 5", "replace": "RAID 6"}`,
			Example: json.RawMessage(`{"path": "artifacts/raid-plan.md", "find": "RAID 5", "replace": "RAID 6", "max_replacements": 1, "expected_sha256": "the sha256 of the file as you know it"}`),
		}, v.Replace),
		toolset.Define(toolset.Tool{
			Name: "vault_read", Title: "Read a file of the vault", Group: group, Hints: toolset.Reading,
			Description: "Read a range of lines, or with full the whole file, up to a limit. Go on behind a cut " +
				"with offset set to next_offset, or with vault_scan. " +
				`Example: {"path": "artifacts/raid-plan.md", "range": {"start_line": 1, "end_line": 40}}`,
			Example: json.RawMessage(`{"path": "artifacts/raid-plan.md", "range": {"start_line": 1, "end_line": 40}, "offset": null, "limits": {"max_chars": 4000}}`),
		}, v.Read),
		toolset.Define(toolset.Tool{
			Name: "vault_scan", Title: "Scan a file of the vault", Group: group, Hints: toolset.Reading,
			Description: "Read a file piece by piece. Begin without a cursor, then pass on next_cursor until eof " +
				"is true. With cited_ranges, the lines you have used so far, it begins at the first line you have " +
				"not, tells coverage and what reading on brings, and says when to stop. " +
				`Example: {"path": "drafts/source.md", "chunk_lines": 80, "cited_ranges": [{"start_line": 1, "end_line": 40}]}`,
			Example: json.RawMessage(`{"path": "drafts/source.md", "cursor": {"start_line": 1, "char_offset": 0}, "chunk_lines": 80, "limits": {"max_chars": 4000}, "cited_ranges": [{"start_line": 1, "end_line": 40}]}`),
		}, v.Scan),
		toolset.Define(toolset.Tool{
			Name: "vault_search", Title: "Search lines of the vault", Group: group, Hints: toolset.Reading,
			Description: "List the lines of the vault that match: a regular expression (RE2), plain letters, or " +
				"loose (without regard to case, width and separators). " +
				`Example: {"query": "RAID ?[56]", "mode": "regex", "glob": "*.md"}`,
			Example: json.RawMessage(`{"query": "RAID", "mode": "plain", "glob": "*.md", "relative_dir": "artifacts", "limit": 50}`),
		}, v.Search),
		toolset.Define(toolset.Tool{
			Name: "vault_coverage", Title: "Tell which lines are cited", Group: group, Hints: toolset.Reading,
			Description: "Tell which lines of a file the cited ranges cover and which they leave out. " +
				`Example: {"path": "drafts/source.md", "cited_ranges": [{"start_line": 1, "end_line": 40}]}`,
			Example: json.RawMessage(`{"path": "drafts/source.md", "cited_ranges": [{"start_line": 1, "end_line": 40}]}`),
		}, v.Coverage),
		toolset.Define(toolset.Tool{
			Name: "artifact_audit", Title: "Check an artifact against its source",
			Group: group, Hints: toolset.Reading,
			Description: "Tell what in a finished artifact cites no source lines, which branches hang in the air, " +
				"which references lead nowhere, which figures the cited lines do not hold, and how much of the " +
				"source is cited. Elements (headings, list " +
				"items, table rows, Mermaid nodes and edges, JSON objects with an id) cite with source_lines: N-M " +
				"beside them. " +
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
