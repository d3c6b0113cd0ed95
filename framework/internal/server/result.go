package server

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// ResultForm says how a result carries its JSON to an MCP client.
type ResultForm string

const (
	formBoth       ResultForm = "both"       // structured content and the same as text
	formStructured ResultForm = "structured" // structured content; an error also has text
	formText       ResultForm = "text"       // only text, and no output schema is promised
	formAuto       ResultForm = "auto"       // the form known to suit the client, see [forms]
)

// ErrorResult returns the result object of a failure.
func ErrorResult(err *toolset.Error) any { return map[string]any{"error": err} }

// encode wraps a result or a failure for the client of a request. Some clients do not show their model the structured
// content of a failure. The links are for human readers.
func (s *Server) encode(ctx context.Context, result any, failed *toolset.Error) (*mcp.CallToolResult, error) {
	form, links := s.formFor(ctx)
	if failed != nil {
		result = ErrorResult(failed)
	}
	raw, err := toolset.Marshal(result)
	if err != nil {
		return nil, err
	}
	wire := &mcp.CallToolResult{Content: []mcp.Content{}, IsError: failed != nil}
	if form != formStructured || failed != nil {
		wire.Content = append(wire.Content, mcp.NewTextContent(string(raw)))
	}
	if links && failed == nil {
		wire.Content = append(wire.Content, s.links(result)...)
	}
	if form != formText {
		wire.StructuredContent = json.RawMessage(raw)
	}
	return wire, nil
}

// mostLinks is the maximum number of links in a result.
const mostLinks = 5

// links returns links to the sections that a result shows, if they are resources that are served.
func (s *Server) links(result any) []mcp.Content {
	shown, ok := result.(toolset.Linker)
	if !ok {
		return nil
	}
	links := []mcp.Content{}
	served := s.resources()
	for _, ref := range shown.Sections() {
		if len(links) < mostLinks && ref.Path != "" &&
			slices.ContainsFunc(served, func(r toolset.Resources) bool { return r.Scheme == ref.Target }) {
			links = append(links, mcp.NewResourceLink(ref.Address().URI(ref.Target),
				fmt.Sprintf("%s:%d", ref.Path, ref.StartLine), fmt.Sprintf("the section at line %d", ref.StartLine),
				corpus.MIMEType(ref.Path)))
		}
	}
	return links
}

// structuredSince is the first protocol revision in which results have structured content.
const structuredSince = "2025-06-18"

// forms maps clients, by the names that they give themselves, to the forms that suit them. All others get both: a model
// pays once if its client passes on only one form, whichever that is. The models of the clients listed with both see
// the structured form.
var forms = []clientForm{
	{"claude-code", formBoth, "its model sees structured content, of a failure text, and before 2.0.21 text"},
	{"codex-mcp-client", formBoth, "its model sees structured content where there is some, else text"},
	{"github-copilot-developer", formText, "its model was handed both, and so paid for the same twice"},
}

type clientForm struct {
	client string
	form   ResultForm
	why    string
}

// formFor returns the form of results for the client of a request, and whether links beside the structured form cost
// the model nothing.
func (s *Server) formFor(ctx context.Context) (form ResultForm, links bool) {
	suits := formBoth
	c := clientOf(ctx)
	i := slices.IndexFunc(forms, func(f clientForm) bool { return f.client == c.name })
	if i >= 0 {
		suits = forms[i].form
	}
	if c.revision != "" && c.revision < structuredSince {
		suits = formText
	}
	form = s.form
	if form == formAuto {
		form = suits
	}
	return form, form == formStructured || i >= 0 && suits == formBoth && form != formText
}

// fitTools removes the output schemas for a client that gets text.
func (s *Server) fitTools(ctx context.Context, _ any, _ *mcp.ListToolsRequest, list *mcp.ListToolsResult) {
	if form, _ := s.formFor(ctx); form != formText {
		return
	}
	for i := range list.Tools {
		list.Tools[i].RawOutputSchema = nil
	}
}
