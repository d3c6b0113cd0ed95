package cli

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/sagasu-search/sagasu/framework/internal/search"
)

// corpus makes a manual of documents, searches it, changes it, asks for all that the search found and
// searches it again.
func (c *caller) corpus(manuals, id string) {
	dir := filepath.Join(manuals, id)
	e := &editor{writer: c.writer, folders: []string{dir}, edits: map[string]int{}}
	for i := range 1 + c.IntN(5) {
		ext, text := c.document()
		putFile(c.t, dir, fmt.Sprintf("edited-%02d%s", i, ext), string(text))
	}
	defer os.RemoveAll(dir)
	query := map[string]any{"query": c.query(), "manual_id": id, "expand_scope": c.often(2), "include_claim_graph": c.often(2)}
	var first search.Answer
	if !c.answered("manual_find", query, &first) {
		return
	}
	refs := c.hits(&first, "candidates")
	for _, ref := range refs[:min(5, len(refs))] {
		if !c.answered("manual_read", map[string]any{"ref": ref}, new(any)) && ref["manual_id"] == id { // others change
			c.t.Errorf("a candidate of %v cannot be read: %v", query, ref)
		}
	}
	for range 1 + c.IntN(5) {
		e.edit()
	}
	for _, kind := range c.schemas["manual_hits"].Properties["kind"].Enum {
		if kind, ok := kind.(string); ok {
			refs = append(refs, c.hits(&first, kind)...)
		}
	}
	c.Shuffle(len(refs), func(i, j int) { refs[i], refs[j] = refs[j], refs[i] })
	for _, ref := range refs[:min(10, len(refs))] {
		c.answered("manual_read", map[string]any{"ref": ref, "scope": pick(c.Rand, []any{nil, "snippet", "section", "sections"})}, new(any))
	}
	var again search.Answer
	if c.answered("manual_find", query, &again) {
		c.hits(&again, "candidates")
	}
}

// answered sends a call, decodes its answer and reports whether it was none of an error.
func (c *caller) answered(tool string, arguments map[string]any, answer any) bool {
	raw, err := json.Marshal(arguments)
	if err != nil {
		c.t.Error(err)
		return false
	}
	result, failed := c.send(tool, raw, 0)
	if failed != nil {
		return false
	}
	raw, err = json.Marshal(result)
	if err == nil {
		err = json.Unmarshal(raw, answer)
	}
	if err != nil {
		c.t.Errorf("%s(%v): %v", tool, arguments, err)
	}
	return err == nil
}

// hits returns the refs that a search found, of one kind.
func (c *caller) hits(found *search.Answer, kind string) (refs []map[string]any) {
	var page struct {
		ManualID string `json:"manual_id"`
		Items    []struct{ Ref map[string]any }
	}
	if !c.answered("manual_hits", map[string]any{"trace_id": found.TraceID, "kind": kind, "limit": 1000}, &page) {
		c.t.Errorf("%s of %s cannot be listed", kind, found.TraceID)
	}
	for _, item := range page.Items {
		if item.Ref != nil && item.Ref["path"] != nil {
			if item.Ref["manual_id"] == nil {
				item.Ref["manual_id"] = page.ManualID
			}
			refs = append(refs, item.Ref)
		}
	}
	return refs
}

// corpora makes so many corpora, a few at once.
func (f *traffic) corpora(manuals string, seed uint64, corpora int64, each func(done int64)) {
	var begun atomic.Int64
	var all sync.WaitGroup
	for i := range 4 {
		all.Go(func() {
			c := f.caller(seed, uint64(i))
			for n := begun.Add(1); n <= corpora; n = begun.Add(1) {
				f.quiet.RLock()
				c.corpus(manuals, fmt.Sprintf("corpus-%04d", n))
				f.quiet.RUnlock()
				if each != nil {
					each(n)
				}
			}
		})
	}
	all.Wait()
}

// openCorpora opens a program over manuals that are made and changed.
func openCorpora(t *testing.T) (f *traffic, manuals string) {
	t.Helper()
	root := t.TempDir()
	manuals = filepath.Join(root, "manuals")
	putFile(t, manuals, "always/there.md", "# Always\n\nThere is something to search.\n")
	return openTraffic(t, []string{"--workspace", root, "--toolsets", "manual"}), manuals
}

// Whatever documents hold, and however they change, what was found is listed, and read as far as it is there.
func TestCorporaOfEveryKind(t *testing.T) {
	seed := seedOf(t)
	f, manuals := openCorpora(t)
	f.corpora(manuals, seed, 25, nil)
	if err := f.app.Close(); err != nil {
		t.Error(err)
	}
	f.report()
	if f.told["ok"] == 0 {
		t.Error("nothing was answered")
	}
}
