package manuals

import "github.com/sagasu-search/sagasu/framework/internal/toolset"

const instructions = `sagasu searches Markdown and JSON manuals, Japanese and English.

Work in this order:
1. manual_find: ask in plain words. The answer is a trace_id, figures and next_actions, not text. inline_hits {"limit": 3} adds the best refs.
2. manual_hits: page the refs of that trace_id. kind "integrated_top" is the best twenty; see also "conflicts", "gaps", "unscanned" where the summary counts any.
3. manual_read: read a section by its ref; the same section again goes on after it.
4. manual_scan: read a file piece by piece; hand next_cursor back until eof.
manual_excepts lists exceptions and warnings: look there before you call something covered.

Prefer next_actions, whole calls, to your own. "ready" means read and answer, "needs_followup" follow next_actions first, "blocked" nothing found: see warnings, reword.
Errors often hold a corrected example.

Pass on the user's words in their language; quote "exact phrases", codes and numbers. Cite path and line, and say what the manuals do not settle.`

// Toolset returns the tools of the manuals.
func (m *Module) Toolset() toolset.Toolset {
	return toolset.Toolset{
		Tools: []toolset.Tool{
			m.listTool(), m.lsTool(), m.tocTool(), m.findTool(), m.hitsTool(), m.readTool(), m.scanTool(),
			m.searchTool(), m.linksTool(), m.exceptsTool(),
		},
		Instructions: instructions,
	}
}
