package manuals

import (
	"context"
	"strings"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/rootfs"
	"github.com/sagasu-search/sagasu/framework/internal/search"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// WhyArgs are the arguments of [Module.Why].
type WhyArgs struct {
	FindArgs
	// Sections are paths, PATH#LLINE or headings, see [search.WhyRequest].
	Sections []string
	Shown    int // hits that are shown
}

// Why runs a search and explains where sections stand in it, or at which stage they dropped out.
func (m *Module) Why(ctx context.Context, args WhyArgs) (*search.Why, error) {
	return m.Engine.Why(ctx, search.WhyRequest{
		Request: args.request(), Sections: args.Sections, Shown: args.Shown, Unlisted: m.unlisted,
	})
}

// unlisted returns why an existing file is not indexed, or "" if there is no such file.
func (m *Module) unlisted(ctx context.Context, manual, path string) string {
	path, bad := rootfs.Clean("path", path)
	if bad != nil {
		return ""
	}
	_, err := m.open(ctx, corpus.ManualID(manual), rootfs.Path(path))
	switch failed := toolset.AsError(err); {
	case err == nil:
		return "it was added or changed since it was last looked for"
	case failed.Code == toolset.NotFound || failed.Code == toolset.Internal:
		return ""
	default:
		return strings.TrimPrefix(failed.Message, path+" ")
	}
}
