package server

import (
	"context"
	"slices"

	"github.com/mark3labs/mcp-go/mcp"
)

// structuredSince is the first revision of the protocol in which results have structured content.
const structuredSince = "2025-06-18"

// forms are the forms that suit clients, by the names that these give themselves. All others get both: a model
// pays once where its client hands on one form, whichever that is. The models of those that are listed with both see
// the structured one.
var forms = []clientForm{
	{"claude-code", FormBoth, "its model sees structured content, of a failure text, and before 2.0.21 text"},
	{"codex-mcp-client", FormBoth, "its model sees structured content where there is some, else text"},
	{"github-copilot-developer", FormText, "its model was handed both, and so paid for the same twice"},
}

type clientForm struct {
	client string
	form   ResultForm
	why    string
}

// formFor returns the form of results for the client of a request, and whether a model pays nothing for links
// beside the structured one.
func (s *Server) formFor(ctx context.Context) (form ResultForm, links bool) {
	suits := FormBoth
	c := clientOf(ctx)
	i := slices.IndexFunc(forms, func(f clientForm) bool { return f.client == c.name })
	if i >= 0 {
		suits = forms[i].form
	}
	if c.revision != "" && c.revision < structuredSince {
		suits = FormText
	}
	form = s.form
	if form == FormAuto {
		form = suits
	}
	return form, form == FormStructured || i >= 0 && suits == FormBoth && form != FormText
}

// fitTools promises no output schema to a client that gets text.
func (s *Server) fitTools(ctx context.Context, _ any, _ *mcp.ListToolsRequest, list *mcp.ListToolsResult) {
	if form, _ := s.formFor(ctx); form != FormText {
		return
	}
	for i := range list.Tools {
		list.Tools[i].RawOutputSchema = nil
	}
}
