package server

import (
	"context"
	"encoding/json"

	"github.com/sagasu-search/sagasu/framework/internal/vault"
)

func vaultSearchTool(v Vault) Tool {
	return Tool{
		Name:  "vault_search",
		Title: "Search lines of the vault",
		Description: "List the lines of the vault that match: a regular expression (RE2), plain letters, or loose (without regard to case, width and separators). " +
			`Example: {"query": "RAID ?[56]", "mode": "regex", "glob": "*.md"}`,
		Input: json.RawMessage(`{
	"type": "object",
	"properties": {
		"query": {"type": "string", "minLength": 1},
		"mode": {"type": ["string", "null"], "enum": ["regex", "plain", "loose", null], "default": "regex"},
		"glob": {"type": ["string", "null"], "description": "Such as *.md, drafts/** or !artifacts/daily/**; counts from relative_dir."},
		"relative_dir": {"type": ["string", "null"], "description": "Only below this folder."},
		"limit": {"type": ["integer", "null"], "minimum": 1, "maximum": 1000, "default": 50}
	},
	"required": ["query"],
	"additionalProperties": false
}`),
		Output: output(`{
	"results": {"type": "array", "items": {
		"type": "object",
		"properties": {"path": {"type": "string"}, "line": {"type": "integer"}, "snippet": {"type": "string"}},
		"required": ["path", "line", "snippet"]
	}},
	"total": {"type": "integer", "description": "Lines that match, of those that were searched."},
	"truncated": {"type": "boolean"},
	"truncated_reason": {"type": "string", "enum": ["limit", "time_budget", "none"], "description": "time_budget: not every line was searched; narrow relative_dir, glob or query."},
	"skipped": {"type": "array", "description": "Files that cannot be read as text.", "items": {"type": "object"}}
}`, "results", "total", "truncated"),
		Example: json.RawMessage(`{"query": "RAID", "mode": "plain", "glob": "*.md", "relative_dir": "artifacts", "limit": 50}`),
		Toolset: "vault",
		Hints:   reading,
		Handle: func(ctx context.Context, args *Arguments, _ *Session) (any, error) {
			req := vault.SearchRequest{
				Query: args.requiredLetters("query", "what to search for"),
				Mode:  args.Choice("mode", vault.ModeRegex, vault.ModePlain, vault.ModeLoose),
				Glob:  args.FilledText("glob"), Dir: args.Path("relative_dir"), Limit: or(args.Int("limit", 1, maxHits), defaultHits),
			}
			if req.Mode == "" {
				req.Mode = vault.ModeRegex
			}
			if err := args.Err(); err != nil {
				return nil, err
			}
			return v.Search(ctx, req)
		},
	}
}
