package cli

import "testing"

func TestToolsAndTheirCommands(t *testing.T) {
	root := newRoot(nil)
	for tool, want := range map[string]string{
		"manual_find": "sagasu find", "manual_excepts": "sagasu excepts", "manual_list": "", "manual_id": "",
		"vault_search": "sagasu vault search", "vault_write": "", "bridge_copy_file": "sagasu bridge copy",
		"bridge_copy_section": "sagasu bridge copy", "rrf_blend_frontier": "sagasu rrf blend",
		"rrf_mutate_run": "sagasu rrf mutate", "rrf_search_fulltext_raw": "", "run_id": "",
		"run_multilane_search": "sagasu rrf fulltext",
	} {
		if got := commandOf(root, tool); got != want {
			t.Errorf("%s is %q, want %q", tool, got, want)
		}
	}
}
