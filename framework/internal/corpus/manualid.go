package corpus

import (
	"strings"

	"github.com/sagasu-search/sagasu/framework/internal/rootfs"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// ManualID is a tool's argument that names a manual: a single cleaned path component, "" if it is missing.
type ManualID string

// ReadArgument implements [toolset.Reader].
func (id *ManualID) ReadArgument(a *toolset.Arguments, name string) {
	text, given := a.Text(name)
	if !given {
		return
	}
	cleaned, full := rootfs.CleanArgument(a, name, text), a.FullName(name)
	if strings.Contains(cleaned, "/") {
		a.Fail(toolset.Errorf(toolset.InvalidPath, "%s must be one name without '/'; manual_ls lists the manuals",
			full).With("parameter", full).With("got", cleaned).With("expected", "the id of a manual"))
	}
	*id = ManualID(cleaned)
}
