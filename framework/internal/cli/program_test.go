package cli

import (
	"slices"
	"testing"

	"github.com/sagasu-search/sagasu/framework/internal/host"
	"github.com/sagasu-search/sagasu/framework/internal/workspace"
	"github.com/sagasu-search/sagasu/plugins"
)

func TestStrategiesStartFirstWhereACommandSearches(t *testing.T) {
	for _, searches := range []bool{false, true} {
		prog := &program{Flags: &workspace.Flags{}, strategies: plugins.Bundled()}
		if searches {
			prog = prog.searching()
		}
		started := slices.ContainsFunc(opened(t, prog).Host.Status(), func(s host.Status) bool {
			return s.State != host.StateStopped
		})
		if started != searches {
			t.Errorf("started = %v, want %v", started, searches)
		}
	}
}

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
