package manuals

import "github.com/sagasu-search/sagasu/framework/internal/toolset"

const instructions = `sagasu searches manuals and other documents, Japanese and English.

- manual_find: ask in the words and language that the manuals may use, not in the user's; several wordings go into queries; keep codes, numbers, "exact phrases". Often its passages are enough.
- manual_read: a section by its ref, or several by refs; hand next_cursor back to go on. manual_scan: a file piece by piece, until eof.
- manual_hits: all that a trace_id found (kind "matched", format "lines" lists it); see also "conflicts", "gaps", "unscanned" where the summary counts any.
- manual_search: every line with a code, a name or a pattern. manual_links: references from and to a section.
- manual_excepts: exceptions and warnings; look before you call something covered.

"ready" means answer; "needs_followup": if no passage answers, follow next_actions, whole calls, or reword if their confidence is near 0; "blocked": reword.
Errors often hold a corrected call.

Cite path and line, and say what the manuals do not settle.`

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
