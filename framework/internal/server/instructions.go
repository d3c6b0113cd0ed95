package server

import (
	"slices"

	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// The parts of what a client tells its model about the server, which together
// have at most 1,500 characters.
const (
	manualInstructions = `sagasu searches Markdown and JSON manuals, Japanese and English.

Work in this order:
1. manual_find: ask in plain words. The answer is a trace_id, figures and next_actions, not text. inline_hits {"limit": 3} adds the best refs.
2. manual_hits: page the refs of that trace_id. kind "integrated_top" is the best twenty; see also "conflicts", "gaps", "unscanned" where the summary counts any.
3. manual_read: read a section by its ref; the same section again goes on after it.
4. manual_scan: read a file piece by piece; hand next_cursor back until eof.
manual_excepts lists exceptions and warnings: look there before you call something covered.

Prefer next_actions, whole calls, to your own. "ready" means read and answer, "needs_followup" follow next_actions first, "blocked" nothing was found: try other words.
Errors often hold a corrected example.

Pass on the user's words in their language; quote "exact phrases", codes and numbers. Cite path and line, and say what the manuals do not settle.`

	vaultInstructions = `

Finished work goes into the vault: artifacts/ (.md, .json), the day's notes into artifacts/daily/YYYY-MM-DD.md (vault_create, then vault_write append). Answer with a summary and the path. Copy from manuals, unread, with bridge_copy_section. vault_scan with cited_ranges finds what is not yet used, artifact_audit what has no source_lines.`
)

const rrfInstructions = `

Patents: run_multilane_search, rrf_blend_frontier; see the prompt patent_search_en.`

// instructions fit the tools that are switched on.
func (s *Server) instructions() string {
	text := manualInstructions
	if slices.ContainsFunc(s.tools, func(t Tool) bool { return t.Name == "vault_create" }) {
		text += vaultInstructions
	}
	if s.offersPrompts() {
		text += rrfInstructions
	}
	for _, set := range s.sets {
		if slices.ContainsFunc(set.Tools, s.offers) {
			text += set.Instructions
		}
	}
	return text
}

// offers reports whether a tool is switched on.
func (s *Server) offers(t toolset.Tool) bool {
	_, on := s.tool(t.Name)
	return on
}
