package cli

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// reply asks a server and decodes the result.
func reply[T any](c *client, method string, params map[string]any) (result T) {
	c.t.Helper()
	if err := json.Unmarshal(c.request(method, params), &result); err != nil {
		c.t.Fatal(err)
	}
	return result
}

type resourcePage struct {
	Resources []struct{ URI, MimeType string }
}

type resourceText struct {
	Contents []struct{ URI, MimeType, Text string }
}

type proposals struct{ Completion struct{ Values []string } }

// A client goes from the list of resources to a section, from a typed word to a heading, and from a prompt to
// tools that are there.
func TestResourcesCompletionsAndPrompts(t *testing.T) {
	c := connect(t, environment(t), "--workspace", t.TempDir(), "--manuals-root", filepath.Join(sample(t), "manuals"),
		"--toolsets", "manual,vault")
	var written struct {
		Path string `json:"written_path"`
	}
	if c.call("vault_create", map[string]any{"path": "artifacts/計画 1.md", "content": "# 計画\n\n- 一\n"}, &written) {
		t.Fatal(written)
	}
	listed := reply[resourcePage](c, "resources/list", map[string]any{})
	uris := map[string]string{}
	for _, r := range listed.Resources {
		uris[r.URI] = r.MimeType
	}
	const raid, plan = "manual://aoba-nas/06-disk-raid.md", "vault://artifacts/%E8%A8%88%E7%94%BB%201.md"
	if uris[raid] != "text/markdown" || uris[plan] != "text/markdown" {
		t.Errorf("listed: %v", uris)
	}
	for uri, want := range map[string]string{raid: "# ディスクと RAID\n", raid + "#L12": "## 方式を選ぶ\n", plan + "#計画": "# 計画\n"} {
		got := reply[resourceText](c, "resources/read", map[string]any{"uri": uri})
		if len(got.Contents) != 1 || !strings.HasPrefix(got.Contents[0].Text, want) || got.Contents[0].URI != uri {
			t.Errorf("%s: %+v", uri, got)
		}
	}
	complete := func(ref map[string]any, argument, typed string, known map[string]any) []string {
		return reply[proposals](c, "completion/complete", map[string]any{
			"ref": ref, "argument": map[string]any{"name": argument, "value": typed}, "context": map[string]any{"arguments": known},
		}).Completion.Values
	}
	template := map[string]any{"type": "ref/resource", "uri": "manual://{manual_id}/{+path}{#section}"}
	file := map[string]any{"manual_id": "aoba-nas", "path": "06-disk-raid.md"}
	headings := complete(template, "section", "ﾃﾞｨｽｸ", file)
	if len(headings) != 3 || headings[0] != "ディスクと RAID" {
		t.Fatalf("headings %q", headings)
	}
	for _, h := range headings {
		got := reply[resourceText](c, "resources/read", map[string]any{"uri": raid + "#" + h})
		if text := got.Contents[0].Text; !strings.Contains(text[:strings.Index(text, "\n")], h) {
			t.Errorf("%s reads %.60s", h, text)
		}
	}
	prompt := map[string]any{"type": "ref/prompt", "name": "compare_sections_ja"}
	first := complete(prompt, "first", "ディスク", map[string]any{"manual_id": "aoba-nas"})
	if !slices.Contains(first, "ディスクと RAID (06-disk-raid.md#L5)") {
		t.Errorf("sections %q", first)
	}
	asked := string(c.request("prompts/get", map[string]any{"name": "compare_sections_ja",
		"arguments": map[string]any{"manual_id": "aoba-nas", "first": first[0], "second": "バックアップ"}}))
	if !strings.Contains(asked, first[0]) || !strings.Contains(asked, "manual_read") || strings.Contains(asked, "{{") {
		t.Errorf("prompt: %s", asked)
	}
}

// A client may keep the list of tools over a restart.
func TestToolsAreListedTheSameAfterARestart(t *testing.T) {
	dir, env := sample(t), environment(t)
	var lists [][]byte
	for range 2 {
		c := connect(t, env, "--workspace", dir)
		for range 2 {
			lists = append(lists, c.request("tools/list", map[string]any{}))
		}
	}
	for _, l := range lists[1:] {
		if !bytes.Equal(l, lists[0]) {
			t.Errorf("listed\n%s\nand\n%s", lists[0], l)
		}
	}
}

// The test's client is unknown: it gets both forms.
func TestResultFormatAuto(t *testing.T) {
	c := connect(t, environment(t), "--workspace", sample(t), "--result-form", "auto")
	got := reply[struct {
		Content    []struct{ Text string }
		Structured json.RawMessage `json:"structuredContent"`
	}](c, "tools/call", map[string]any{"name": "manual_list", "arguments": map[string]any{}})
	if len(got.Content) != 1 || got.Content[0].Text != string(got.Structured) {
		t.Errorf("%+v", got)
	}
}
