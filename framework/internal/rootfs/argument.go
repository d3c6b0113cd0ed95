package rootfs

import (
	"strings"

	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// Path is a tool's argument that names a file or folder below a root, cleaned by [Clean]; "" if it is missing.
type Path string

// ReadArgument implements [toolset.Reader].
func (p *Path) ReadArgument(a *toolset.Arguments, name string) {
	if text, given := a.Path(name); given {
		*p = Path(CleanArgument(a, name, text))
	}
}

// Prefix is a tool's argument that is the beginning of paths, cleaned by [Clean]; "" if it is missing. It keeps a final
// slash, which distinguishes a folder from names with the same beginning.
type Prefix string

// ReadArgument implements [toolset.Reader].
func (p *Prefix) ReadArgument(a *toolset.Arguments, name string) {
	text, given := a.Text(name)
	if !given {
		return
	}
	cleaned := CleanArgument(a, name, text)
	if cleaned != "" && strings.HasSuffix(strings.ReplaceAll(text, `\`, "/"), "/") {
		cleaned += "/"
	}
	*p = Prefix(cleaned)
}

// CleanArgument is [Clean] for an argument: an error becomes a problem of the arguments, and "" is returned.
func CleanArgument(a *toolset.Arguments, name, text string) string {
	cleaned, err := Clean(a.FullName(name), text)
	if err != nil {
		a.Fail(err.With("got", text))
	}
	return cleaned
}
