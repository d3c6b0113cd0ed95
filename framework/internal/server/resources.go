package server

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/sdk/x/guard"
)

const (
	// resourcesPerPage is the number of rows in one answer to resources/list.
	resourcesPerPage = 200
	// asideTime limits requests that are not tool calls; tool calls have limits of their own.
	asideTime = 10 * time.Second
	// anyResource is a resource that no client sees. All resources are read through it: the MCP library would match
	// their URIs with the templates in no fixed order and with its own error texts.
	anyResource = "sagasu:resource"
)

// resources returns the resources of the served toolsets.
func (s *Server) resources() (served []toolset.Resources) {
	for _, set := range s.sets {
		if r := set.Resources; r != nil {
			if _, on := s.tool(r.Tool); on {
				served = append(served, *r)
			}
		}
	}
	return served
}

// serveResources adds the resources to the MCP server.
func (s *Server) serveResources(m *server.MCPServer, hooks *server.Hooks, by transport) {
	served := s.resources()
	if len(served) == 0 {
		return
	}
	a := aside{s, by}
	m.AddResource(mcp.NewResource(anyResource, anyResource), a.readResource)
	for _, r := range served {
		template := mcp.NewResourceTemplate(r.Template, r.Name, mcp.WithTemplateDescription(r.Description))
		template.Title = r.Title
		m.AddResourceTemplate(template, a.readResource)
	}
	for _, t := range s.tools {
		if t.View != nil {
			about := mcp.Resource{URI: t.View.URI, Name: t.View.URI, Title: t.View.Title, MIMEType: viewType}
			m.AddResource(about, readView(*t.View))
		}
	}
	hooks.AddBeforeReadResource(func(_ context.Context, _ any, req *mcp.ReadResourceRequest) {
		if strings.HasPrefix(req.Params.URI, "ui://") {
			return
		}
		req.Params.Arguments = map[string]any{"uri": req.Params.URI}
		req.Params.URI = anyResource
	})
	hooks.AddBeforeListResources(checkCursor)
	hooks.AddAfterListResources(a.listResources)
}

// viewType is the type of the document of an MCP App.
const viewType = "text/html;profile=mcp-app"

// readView returns the document of a view. resources/list does not list it: the tool names it.
func readView(v toolset.View) server.ResourceHandlerFunc {
	return func(context.Context, mcp.ReadResourceRequest) ([]mcp.ResourceContents, error) {
		return []mcp.ResourceContents{mcp.TextResourceContents{
			URI: v.URI, MIMEType: viewType, Text: v.HTML,
			Meta: map[string]any{"ui": map[string]any{"prefersBorder": true}},
		}}, nil
	}
}

// aside answers requests that are not tool calls: resources/read, resources/list and completion/complete. It implements
// both providers of completions that the MCP library knows.
type aside struct {
	*Server
	by transport
}

// run does some work within a time limit, and turns a panic into an error.
func (a aside) run(ctx context.Context, do func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, asideTime)
	defer cancel()
	release, err := a.by.slot(ctx)
	if err != nil {
		return err
	}
	defer release()
	return guard.Call(func() error { return do(ctx) })
}

// readResource answers resources/read. The URI comes from the arguments.
func (a aside) readResource(ctx context.Context, req mcp.ReadResourceRequest,
) (out []mcp.ResourceContents, err error) {
	uri, _ := req.Params.Arguments["uri"].(string)
	err = a.run(ctx, func(ctx context.Context) error {
		content, err := a.resource(ctx, uri)
		if err == nil {
			out, err = contents(uri, content)
		}
		return err
	})
	if err != nil {
		return nil, a.refuseResource(ctx, err)
	}
	return out, nil
}

// resource reads the resource of a URI.
func (s *Server) resource(ctx context.Context, uri string) (*toolset.Content, error) {
	scheme, at, err := toolset.ParseURI(uri)
	if err != nil {
		return nil, err
	}
	known := ""
	for _, r := range s.resources() {
		if r.Scheme == scheme {
			return r.Read(ctx, at)
		}
		known += " " + r.Scheme + "://"
	}
	return nil, toolset.Errorf(toolset.NotFound, "there is no resource %q; those served begin with%s",
		toolset.Shorten(uri), known)
}

// contents returns a text for the wire. A second content says what was cut.
func contents(uri string, c *toolset.Content) ([]mcp.ResourceContents, error) {
	out := []mcp.ResourceContents{mcp.TextResourceContents{URI: uri, MIMEType: c.MIMEType, Text: c.Text}}
	if c.Rest == nil {
		return out, nil
	}
	call, err := toolset.Marshal(c.Rest.Params)
	if err != nil {
		return nil, err
	}
	rest := fmt.Sprintf("This is not all: the text above is lines %d to %d of %d. To read on, call %s with %s.",
		c.Lines.StartLine, c.Lines.EndLine, c.TotalLines, c.Rest.Type, call)
	return append(out, mcp.TextResourceContents{URI: uri, MIMEType: "text/plain", Text: rest}), nil
}

// refuseResource returns the failure of a reading as a protocol error, and logs an unexpected one.
func (s *Server) refuseResource(ctx context.Context, err error) error {
	failed := toolset.Explain(err)
	message := failed.Message
	if near, _ := failed.Details["did_you_mean"].([]string); len(near) > 0 {
		message += fmt.Sprintf("; did you mean %s?", near[0])
	}
	switch failed.Code {
	case toolset.Internal:
		s.log.Error("resource", "cause", errors.Unwrap(failed))
		guard.LogStack(s.log, failed)
		return errors.New(message)
	case toolset.NotAvailable:
		return errors.New(message)
	case toolset.NotFound:
		if !mcp.IsModernProtocol(server.RequestProtocolVersion(ctx)) {
			return refusal{mcp.RESOURCE_NOT_FOUND, message}
		}
	}
	return refusal{mcp.INVALID_PARAMS, message}
}

// checkCursor lets the MCP library refuse a cursor that does not come from listResources.
func checkCursor(_ context.Context, _ any, req *mcp.ListResourcesRequest) {
	if _, _, err := toolset.ParseURI(cursorURI(req.Params.Cursor)); req.Params.Cursor != "" && err != nil {
		req.Params.Cursor = "not one of this server's"
	}
}

// cursorURI returns the URI of the last row before a cursor, or "" if there is none.
func cursorURI(c mcp.Cursor) string {
	uri, _ := base64.StdEncoding.DecodeString(string(c))
	return string(uri)
}

// listResources fills a page: the files after the one that the cursor names, in a fixed order that files which come and
// go meanwhile do not disturb. If a product cannot list its files, only its own rows are missing.
func (a aside) listResources(ctx context.Context, _ any, req *mcp.ListResourcesRequest,
	page *mcp.ListResourcesResult) {
	page.Resources, page.NextCursor = []mcp.Resource{}, ""
	scheme, after, _ := toolset.ParseURI(cursorURI(req.Params.Cursor))
	for _, r := range a.resources() {
		if scheme != "" && r.Scheme != scheme {
			continue // listed on an earlier page
		}
		err := a.run(ctx, func(ctx context.Context) error { return fill(ctx, page, r, after.Path) })
		if failed := toolset.AsError(err); err != nil && failed.Code != toolset.NotAvailable {
			a.log.Warn("resources/list", "scheme", r.Scheme, "cause", failed)
		}
		if page.NextCursor != "" {
			return
		}
		scheme, after = "", toolset.Address{}
	}
}

// fill adds rows to a page until it is full, then sets the cursor.
func fill(ctx context.Context, page *mcp.ListResourcesResult, r toolset.Resources, after string) error {
	room := resourcesPerPage - len(page.Resources)
	rows, err := r.List(ctx, after, room+1)
	for _, row := range rows[:min(room, len(rows))] {
		uri := toolset.Address{Path: row.Path}.URI(r.Scheme)
		page.Resources = append(page.Resources,
			mcp.Resource{URI: uri, Name: row.Path, MIMEType: row.MIMEType, Size: &row.Size})
	}
	if len(rows) > room {
		last := page.Resources[len(page.Resources)-1]
		page.NextCursor = mcp.Cursor(base64.StdEncoding.EncodeToString([]byte(last.URI)))
	}
	return err
}

// mostCompletions is the maximum number of values that the protocol allows in an answer.
const mostCompletions = 100

// CompletePromptArgument proposes values of a prompt's argument.
func (a aside) CompletePromptArgument(ctx context.Context, prompt string, arg mcp.CompleteArgument,
	known mcp.CompleteContext) (*mcp.Completion, error) {
	prompts := a.prompts()
	i := slices.IndexFunc(prompts, func(p toolset.Prompt) bool { return p.Name == prompt })
	if i < 0 {
		return nil, refusal{mcp.INVALID_PARAMS, "there is no prompt " + toolset.Shorten(prompt) +
			"; prompts/list names them"}
	}
	return a.complete(ctx, prompts[i].Arguments, arg, known)
}

// CompleteResourceArgument proposes values of a variable in the template of a resource's URI.
func (a aside) CompleteResourceArgument(ctx context.Context, template string, arg mcp.CompleteArgument,
	known mcp.CompleteContext) (*mcp.Completion, error) {
	served := a.resources()
	i := slices.IndexFunc(served, func(r toolset.Resources) bool { return r.Template == template })
	if i < 0 {
		return nil, refusal{mcp.INVALID_PARAMS, "there is no template " + toolset.Shorten(template) +
			"; resources/templates/list names them"}
	}
	return a.complete(ctx, served[i].Variables, arg, known)
}

// complete proposes values of one of some arguments. If they cannot be listed, it proposes none.
func (a aside) complete(ctx context.Context, of []toolset.Variable, arg mcp.CompleteArgument,
	known mcp.CompleteContext) (*mcp.Completion, error) {
	i := slices.IndexFunc(of, func(one toolset.Variable) bool { return one.Name == arg.Name })
	if i < 0 {
		return nil, refusal{mcp.INVALID_PARAMS, "there is no argument " + toolset.Shorten(arg.Name)}
	}
	var values []string
	if of[i].Values != nil {
		err := a.run(ctx, func(ctx context.Context) (err error) {
			values, err = of[i].Values(ctx, known.Arguments)
			return err
		})
		if failed := toolset.Explain(err); err != nil && failed.Code == toolset.Internal {
			a.log.Warn("completion/complete", "argument", arg.Name, "cause", err)
		}
	}
	best, total := toolset.Complete(arg.Value, values, mostCompletions)
	return &mcp.Completion{Values: best, Total: total, HasMore: total > len(best)}, nil
}
