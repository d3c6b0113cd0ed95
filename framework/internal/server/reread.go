package server

import (
	"github.com/sagasu-search/sagasu/framework/internal/manuals"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// reread lets proposals give the text that they mean where the session has read it
// already: asked for once more as a section, what follows it would come instead.
func (s *Session) reread(actions []toolset.Action) {
	for _, a := range actions {
		ref, ok := a.Params["ref"].(map[string]any)
		if a.Type != "manual_read" || !ok || a.Params["scope"] != nil {
			continue
		}
		id, _ := ref["manual_id"].(string)
		path, _ := ref["path"].(string)
		if line, ok := ref["start_line"].(int); ok && s.memory().Has(id, path, line) {
			a.Params["scope"] = manuals.ScopeSections
		}
	}
}
