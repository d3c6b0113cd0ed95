package cli

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/framework/internal/manuals"
	"github.com/sagasu-search/sagasu/framework/internal/search"
	"github.com/sagasu-search/sagasu/framework/internal/search/adapt"
)

// TestServerRemembersAndRecords asks again, edits, asks again and reads: the rows
// in the vault tell what became of each search.
func TestServerRemembersAndRecords(t *testing.T) {
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(sample(t))); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(dir, "vault"), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Run("session", func(t *testing.T) { // the server ends with it
		c := connect(t, environment(t), "--workspace", dir)
		search := func(query string, more ...any) search.Answer {
			arguments := map[string]any{"query": query, "passages": 0}
			for i := 0; i < len(more); i += 2 {
				arguments[more[i].(string)] = more[i+1]
			}
			answer := must[search.Answer](c, "manual_find", arguments)
			// What a search found is remembered behind its answer.
			must[search.Hits](c, "manual_hits", map[string]any{"trace_id": answer.TraceID, "kind": "unscanned"})
			time.Sleep(100 * time.Millisecond)
			return answer
		}
		search("RAIDの構築")
		search("RAIDの構築")
		search("RAIDの構築について教えて")
		search("RAIDの構築", "use_cache", false)
		if err := os.WriteFile(filepath.Join(dir, "manuals", "aoba-nas", "new.md"), []byte("# 新しい\nRAIDの構築を始める。\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Second)
		answer := search("RAIDの構築")
		ref := answer.NextActions[0].Params["ref"]
		must[manuals.Reading](c, "manual_read", map[string]any{"ref": ref})
	})
	log, err := adapt.OpenLog(filepath.Join(dir, "vault"), ".system/adaptive_stats.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	rows, err := log.Rows(1 << 20)
	if err != nil {
		t.Fatal(err)
	}
	var modes []string
	for _, r := range rows {
		modes = append(modes, r.CacheMode)
	}
	if diff := cmp.Diff([]string{"miss", "exact", "semantic", "bypass", "miss"}, modes); diff != "" {
		t.Error(diff)
	}
	if last := rows[len(rows)-1]; last.Used != 1 || last.Recalled != 1 {
		t.Errorf("used %d, of which found %d", last.Used, last.Recalled)
	}
}

func TestReadOnlyServerKeepsNothing(t *testing.T) {
	env := environment(t)
	t.Run("session", func(t *testing.T) {
		c := connect(t, env, "--workspace", sample(t), "--read-only")
		must[search.Answer](c, "manual_find", map[string]any{"query": "RAID"})
	})
	home := env[0][len("HOME="):]
	err := filepath.WalkDir(home, func(path string, d os.DirEntry, err error) error {
		if err == nil && d.Name() == "adaptive_stats.jsonl" {
			t.Errorf("%s was written", path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
