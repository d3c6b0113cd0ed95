package cli

import (
	"bytes"
	"encoding/json"
	"flag"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/framework/internal/app"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/framework/internal/workspace"
	"github.com/sagasu-search/sagasu/plugins"
)

var update = flag.Bool("update", false, "write the golden files of the tests that -run selects anew")

// golden holds a text against a file, or writes the file.
func golden(t *testing.T, path, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v (-update writes it)", err)
	}
	if diff := cmp.Diff(strings.ReplaceAll(string(want), "\r\n", "\n"), got); diff != "" {
		t.Errorf("%s (-want +got; -update writes it anew):\n%s", path, diff)
	}
}

// allTools returns the tools of every product.
func allTools(t *testing.T) []toolset.Tool {
	t.Helper()
	return opened(t, &program{Flags: &workspace.Flags{}, strategies: plugins.Bundled()}).Tools.Tools()
}

// opened returns the open sample workspace.
func opened(t *testing.T, prog *program) *app.App {
	t.Helper()
	home := t.TempDir()
	values := map[string]string{
		"WORKSPACE_ROOT": sample(t), "SAGASU_CACHE_DIR": home, "HOME": home, "USERPROFILE": home, "LOCALAPPDATA": home, "APPDATA": home,
	}
	options := prog.options(t.Context(), io.Discard)
	options.Sources.Getenv = func(name string) string { return values[name] }
	a, err := app.Open(t.Context(), options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.Close() })
	return a
}

// What a client is told of a tool changes only on purpose: run with -update and read
// the difference.
func TestToolsAsClientsSeeThem(t *testing.T) {
	c := connect(t, environment(t), "--workspace", sample(t), "--toolsets", "manual,vault,bridge,logic,rrf,rrf-human")
	var answer struct{ Tools []json.RawMessage }
	if err := json.Unmarshal(c.request("tools/list", map[string]any{}), &answer); err != nil {
		t.Fatal(err)
	}
	if len(answer.Tools) != len(allTools(t)) {
		t.Errorf("%d tools are served, %d are there", len(answer.Tools), len(allTools(t)))
	}
	for _, raw := range answer.Tools {
		var tool struct{ Name string }
		var got bytes.Buffer
		if err := json.Unmarshal(raw, &tool); err != nil {
			t.Fatal(err)
		}
		if err := json.Indent(&got, raw, "", "  "); err != nil {
			t.Fatal(err)
		}
		golden(t, filepath.Join("testdata", "tools", tool.Name+".json"), got.String()+"\n")
	}
}

// An agent pays for what it is told of the tools before it asks anything.
func TestToolsCostFewTokens(t *testing.T) {
	dir := sample(t)
	for toolsets, most := range map[string]int{"manual": 3500, "manual,vault,bridge": 7000} {
		t.Run(toolsets, func(t *testing.T) {
			c := connect(t, environment(t), "--workspace", dir, "--toolsets", toolsets)
			if cost := toolset.EstimateTokens(string(c.request("tools/list", map[string]any{}))); cost > most {
				t.Errorf("%d estimated tokens, at most %d are allowed: say less in schemas and descriptions", cost, most)
			}
		})
	}
}

// Every tool has a page in docs/reference/tools, and the index lists them.
func TestReferencePages(t *testing.T) {
	dir := filepath.Join(repository(t), "docs", "reference", "tools")
	index := "# Tools\n\nOne page per tool. Clients are sent less of it: no examples, no insides of results.\n\n| tool | toolset | does |\n|---|---|---|\n"
	pages := []string{"README.md"}
	for _, tool := range allTools(t) {
		golden(t, filepath.Join(dir, tool.Name+".md"), toolPage(tool))
		pages = append(pages, tool.Name+".md")
		index += "| [" + tool.Name + "](" + tool.Name + ".md) | " + tool.Group + " | " + tool.Title + " |\n"
	}
	golden(t, filepath.Join(dir, "README.md"), index)
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !slices.Contains(pages, e.Name()) {
			t.Errorf("docs/reference/tools/%s is the page of no tool", e.Name())
		}
	}
}

// writers are the tools that change files, with what a client is told of them.
var writers = map[string]toolset.Hints{
	"vault_create": {}, "vault_write": {Destructive: true}, "vault_replace": {Destructive: true},
	"bridge_copy_section": {Destructive: true}, "bridge_copy_file": {Destructive: true},
	"register_representatives": {Idempotent: true}, "remove_representatives": {Destructive: true, Idempotent: true},
}

func TestToolsSayWhatClientsNeed(t *testing.T) {
	for _, tool := range allTools(t) {
		if !strings.Contains(tool.Description, "Example: {") {
			t.Errorf("%s: the description has no example", tool.Name)
		}
		want, writes := writers[tool.Name]
		if !writes {
			want = toolset.Reading
		}
		if tool.Hints != want {
			t.Errorf("%s: hints %+v, want %+v", tool.Name, tool.Hints, want)
		}
		checkOutput(t, tool)
	}
}

// An output schema takes a success and an error, and stays open.
func checkOutput(t *testing.T, tool toolset.Tool) {
	t.Helper()
	var schema struct {
		Type       string
		Properties map[string]any
		AnyOf      []struct{ Required []string }
		Additional any `json:"additionalProperties"`
	}
	if err := json.Unmarshal(tool.Output(), &schema); err != nil {
		t.Fatalf("%s: %v", tool.Name, err)
	}
	if schema.Type != "object" || len(schema.AnyOf) != 2 || schema.Additional != nil || schema.Properties["error"] == nil {
		t.Fatalf("%s: output schema %s", tool.Name, tool.Output())
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
