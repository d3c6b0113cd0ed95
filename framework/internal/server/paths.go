package server

import (
	"strings"

	"github.com/sagasu-search/sagasu/framework/internal/rootfs"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// RequiredPath takes a path below a root and cleans it; see [rootfs.Clean].
func (a *Arguments) RequiredPath(name, expected string) string {
	if _, given := a.value.find(name); !given {
		return a.RequiredText(name, expected)
	}
	return a.path(name)
}

// Path takes a path below a root that may be absent, "" then, and cleans it.
func (a *Arguments) Path(name string) string {
	if _, given := a.value.find(name); !given {
		text, _ := a.Text(name)
		return text
	}
	return a.path(name)
}

func (a *Arguments) path(name string) string {
	text, _ := a.Text(name)
	if *a.problem != nil {
		return ""
	}
	cleaned, err := rootfs.Clean(a.prefix+name, text)
	if err != nil {
		a.fail(a.shorten(err))
	}
	return cleaned
}

// ManualID takes a manual's id, which is one component of a path; "" when not given.
func (a *Arguments) ManualID(name string) string {
	if _, given := a.value.find(name); !given {
		text, _ := a.Text(name)
		return text
	}
	id := a.path(name)
	if strings.Contains(id, "/") {
		a.fail(toolset.Errorf(toolset.InvalidPath, "%s must be one name without '/'; manual_ls lists the manuals", a.prefix+name).
			With("parameter", a.prefix+name).With("got", short(id)).With("expected", "the id of a manual"))
	}
	return id
}

// RequiredManualID takes a manual's id that must be given.
func (a *Arguments) RequiredManualID(name string) string {
	if _, given := a.value.find(name); !given {
		return a.RequiredText(name, "the id of a manual, as manual_ls lists them")
	}
	return a.ManualID(name)
}

// shorten bounds what an error repeats of a path.
func (a *Arguments) shorten(err *toolset.Error) *toolset.Error {
	if got, ok := err.Details["got"].(string); ok {
		return err.With("got", short(got))
	}
	return err
}
