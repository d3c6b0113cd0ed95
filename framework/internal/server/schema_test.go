package server

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/framework/internal/vault"
	"github.com/sagasu-search/sagasu/framework/internal/vault/bridge"
)

var update = flag.Bool("update", false, "write the golden files anew")

// What a client is told of a tool changes only on purpose: run with -update
// and read the difference.
func TestToolSchemas(t *testing.T) {
	for _, tool := range allTools().Tools() {
		raw, err := json.Marshal((&Server{}).describe(tool))
		if err != nil {
			t.Fatal(err)
		}
		var got bytes.Buffer
		if err := json.Indent(&got, raw, "", "  "); err != nil {
			t.Fatal(err)
		}
		got.WriteByte('\n')
		path := filepath.Join("testdata", tool.Name+".json")
		if *update {
			if err := os.WriteFile(path, got.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), got.String()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tool.Name, diff)
		}
	}
}

// vaultSet are the tools of a vault in a folder that cannot be made.
func vaultSet() toolset.Toolset {
	files := vault.New(vault.Options{Dir: filepath.Join(os.DevNull, "vault"), MaxChars: toolset.Unbounded, ChunkLines: 1, MaxChunkLines: 1000})
	m := &vault.Module{Vault: files, Bridge: bridge.New(bridge.Options{
		Vault: files, Manuals: func(context.Context) ([]corpus.Manual, error) { return nil, nil },
	})}
	return m.Toolset()
}

// allTools is a server with the tools of all products.
func allTools() *Server {
	return New(Options{
		Finder: &fakeFinder{}, Library: &fakeLibrary{}, VaultFinder: &fakeVault{}, Lanes: &fakeLanes{}, Logic: &fakeLogic{},
		Sets: []toolset.Toolset{vaultSet()},
	})
}

func TestToolsTellWhatAClientNeeds(t *testing.T) {
	s := allTools()
	names := []string{}
	for _, tool := range s.Tools() {
		names = append(names, tool.Name)
		if !strings.Contains(tool.Description, "Example: {") {
			t.Errorf("%s: the description has no example", tool.Name)
		}
		_, example, _ := strings.Cut(tool.Description, "Example: ")
		for _, call := range []string{example, string(tool.Example)} {
			if _, err := s.Call(t.Context(), tool.Name, json.RawMessage(call), nil); err != nil && refuses(err) {
				t.Errorf("%s: the example %s is refused: %v", tool.Name, call, err)
			}
		}
		want, writes := writers[tool.Name]
		if !writes {
			want = Hints{ReadOnly: true, Idempotent: true}
		}
		if tool.Hints != want {
			t.Errorf("%s: hints %+v, want %+v", tool.Name, tool.Hints, want)
		}
		checkOutput(t, tool)
	}
	want := []string{"manual_list", "manual_ls", "manual_toc", "manual_find", "manual_hits", "manual_read", "manual_scan", "manual_excepts",
		"vault_find", "vault_hits",
		"rrf_search_fulltext_raw", "run_multilane_search", "rrf_blend_frontier", "rrf_mutate_run", "get_provenance", "peek_snippets",
		"get_snippets", "get_publication", "register_representatives", "search_fulltext", "search_semantic",
		"find_logic_evidence", "ask_logic_qa",
		"vault_ls", "vault_create", "vault_write", "vault_replace", "vault_read", "vault_scan", "vault_search", "vault_coverage", "artifact_audit",
		"bridge_copy_section", "bridge_copy_file"}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Errorf("tools (-want +got):\n%s", diff)
	}
	if n := utf8.RuneCountInString(s.instructions()); n > 1500 {
		t.Errorf("the instructions have %d characters, at most 1500 are read", n)
	}
}

// refuses reports whether a call failed for its arguments.
func refuses(err *toolset.Error) bool {
	return err.Code == toolset.InvalidParameter || err.Code == toolset.InvalidPath
}

// An output schema takes a success and an error, and stays open.
func checkOutput(t *testing.T, tool Tool) {
	t.Helper()
	var schema struct {
		Type       string
		Properties map[string]any
		AnyOf      []struct{ Required []string }
		Additional any `json:"additionalProperties"`
	}
	if err := json.Unmarshal(tool.Output, &schema); err != nil {
		t.Fatalf("%s: %v", tool.Name, err)
	}
	if schema.Type != "object" || len(schema.AnyOf) != 2 || schema.Additional != nil || schema.Properties["error"] == nil {
		t.Fatalf("%s: output schema %s", tool.Name, tool.Output)
	}
	if !slices.Equal(schema.AnyOf[1].Required, []string{"error"}) || len(schema.AnyOf[0].Required) == 0 {
		t.Errorf("%s: anyOf %v", tool.Name, schema.AnyOf)
	}
	for _, name := range schema.AnyOf[0].Required {
		if schema.Properties[name] == nil {
			t.Errorf("%s: %s is required but not described", tool.Name, name)
		}
	}
}

// writers are the tools that change files, with what a client is told of them.
var writers = map[string]Hints{
	"vault_create": {}, "vault_write": {Destructive: true}, "vault_replace": {Destructive: true},
	"bridge_copy_section": {Destructive: true}, "bridge_copy_file": {Destructive: true},
	"register_representatives": {Idempotent: true},
}

func TestToolsetsAndReadOnly(t *testing.T) {
	if got := New(Options{Toolsets: []string{"vault"}}).Tools(); len(got) != 0 {
		t.Errorf("toolset vault alone has %d tools of manual", len(got))
	}
	o := Options{VaultFinder: &fakeVault{}, Sets: []toolset.Toolset{vaultSet()}}
	for _, want := range []struct {
		sets     []string
		readOnly bool
		tools    int
	}{{[]string{"vault"}, false, 11}, {[]string{"bridge"}, false, 2}, {[]string{"vault", "bridge"}, true, 8}, {nil, true, 16}} {
		o.Toolsets, o.ReadOnly = want.sets, want.readOnly
		s := New(o)
		if got := len(s.Tools()); got != want.tools {
			t.Errorf("%v, read-only %t: %d tools, want %d", want.sets, want.readOnly, got, want.tools)
		}
		if want.readOnly && strings.Contains(s.instructions(), "vault") {
			t.Error("a server that writes nothing tells how to write")
		}
		if want.sets != nil && want.sets[0] == "vault" && !want.readOnly && !strings.Contains(s.instructions(), "vault_create") {
			t.Error("a server that writes does not say how")
		}
	}
	if got := New(Options{Toolsets: []string{"manual"}, ReadOnly: true}).Tools(); len(got) != 8 {
		t.Errorf("read-only has %d tools, want 8: all of them only read", len(got))
	}
}
