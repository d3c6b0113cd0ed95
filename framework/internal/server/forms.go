package server

import (
	"context"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// structuredSince is the first revision of the protocol in which results have structured content.
const structuredSince = "2025-06-18"

// forms are the forms that suit clients, by the names that these give themselves. All others get both: a model
// pays once where its client hands on one form, whichever that is.
var forms = []struct {
	client string
	form   ResultForm
	why    string
}{
	{"claude-code", FormBoth, "its model sees structured content, of a failure text, and before 2.0.21 text"},
	{"codex-mcp-client", FormBoth, "its model sees structured content where there is some, else text"},
	{"github-copilot-developer", FormText, "its model was handed both, and so paid for the same twice"},
}

// formFor returns the form of results for the client of a request.
func (s *Server) formFor(ctx context.Context) ResultForm {
	if s.form != FormAuto {
		return s.form
	}
	if v := server.RequestProtocolVersion(ctx); v != "" && v < structuredSince {
		return FormText
	}
	session, _ := server.ClientSessionFromContext(ctx).(server.SessionWithClientInfo)
	if session == nil {
		return FormBoth
	}
	name := session.GetClientInfo().Name
	for _, f := range forms {
		if f.client == name {
			return f.form
		}
	}
	return FormBoth
}

// fitTools promises no output schema to a client that gets text.
func (s *Server) fitTools(ctx context.Context, _ any, _ *mcp.ListToolsRequest, list *mcp.ListToolsResult) {
	if s.formFor(ctx) != FormText {
		return
	}
	for i := range list.Tools {
		list.Tools[i].RawOutputSchema = nil
	}
}
