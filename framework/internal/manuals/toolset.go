package manuals

import "github.com/sagasu-search/sagasu/framework/internal/toolset"

const instructions = `sagasu searches manuals and other documents, Japanese and English.

- manual_find: ask in plain words. The answer holds the best passages, a trace_id and next_actions; often one call is enough.
- manual_read: a section by its ref, or several by refs; hand next_cursor back to go on. manual_scan: a file piece by piece, until eof.
- manual_hits: all that was found (kind "matched", format "lines" lists it); see also "conflicts", "gaps", "unscanned" where the summary counts any.
- manual_search: every line with a code, a name or a pattern. manual_links: references from and to a section.
- manual_excepts: exceptions and warnings; look before you call something covered.

Prefer next_actions, whole calls, to your own. "ready" means answer, "needs_followup" follow next_actions, "blocked" nothing found: reword.
Errors often hold a corrected example.

Pass on the user's words in their language; quote "exact phrases", codes and numbers. Cite path and line, and say what the manuals do not settle.`

// Toolset returns the tools of the manuals.
func (m *Module) Toolset() toolset.Toolset {
	off := func(t toolset.Tool) toolset.Tool {
		if m.collection != nil {
			t.Off = needsFiles
		}
		return t
	}
	return toolset.Toolset{
		Tools: []toolset.Tool{
			off(m.listTool()), off(m.lsTool()), m.tocTool(), m.findTool(), m.hitsTool(), m.readTool(), m.scanTool(),
			off(m.searchTool()), off(m.linksTool()), off(m.exceptsTool()),
		},
		Instructions: instructions,
		Prompts:      m.prompts(),
		Resources:    m.resources(),
	}
}
