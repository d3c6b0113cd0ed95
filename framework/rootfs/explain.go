package rootfs

import (
	"errors"
	"io/fs"
	"path"
	"strings"

	"github.com/sagasu-search/sagasu/framework/fault"
	"github.com/sagasu-search/sagasu/framework/suggest"
)

// suggestions is how many names a not_found proposes at most.
const suggestions = 3

// explainLookup turns a failed lookup of rest[0] in the folder stored into a fault.
func (r *Root) explainLookup(cleaned, stored string, rest []string, err error) *fault.Error {
	if !absent(err) {
		return explainOpen(cleaned, err)
	}
	near := suggest.DidYouMean(rest[0], r.names(stored), suggestions)
	for i, name := range near {
		near[i] = path.Join(stored, name)
	}
	return missing(cleaned, near)
}

// explainOpen turns the failure to open what a lookup has just found into a
// fault; what can only come from a replaced file is marked as a race.
func explainOpen(cleaned string, err error) *fault.Error {
	switch {
	case escapes(err):
		return detail(fault.New(fault.OutOfScope, "%s leads out of its root and was %w; give a path below the root", cleaned, errRaced), cleaned)
	case absent(err):
		return raced(cleaned)
	default:
		return unreadable(cleaned, err)
	}
}

// escapes recognises the refusal of os.Root, which is no exported value.
func escapes(err error) bool {
	pathErr, ok := errors.AsType[*fs.PathError](err)
	return ok && strings.Contains(pathErr.Err.Error(), "escapes from parent")
}

func raced(path string) *fault.Error {
	return detail(fault.New(fault.NotAvailable, "%s was %w; try again", path, errRaced), path)
}

func unreadable(path string, err error) *fault.Error {
	return detail(fault.New(fault.NotAvailable, "%s cannot be read: %w; check its permissions", path, cause(err)), path)
}

func isLink(path, link string) *fault.Error {
	return detail(fault.New(fault.Forbidden, "%s is a symbolic link, and links are not followed; copy the file to its place or name the target itself", link), path)
}

func wrongKind(path string, mode fs.FileMode) *fault.Error {
	switch {
	case mode.IsDir():
		return detail(fault.New(fault.InvalidPath, "%s is a folder; name a file in it", path), path)
	case mode.IsRegular():
		return detail(fault.New(fault.InvalidPath, "%s is a file, not a folder", path), path)
	}
	return detail(fault.New(fault.Forbidden, "%s is neither a file nor a folder", path), path)
}

func missing(path string, near []string) *fault.Error {
	err := detail(fault.New(fault.NotFound, "%s does not exist; check the path, or list the folder first", path), path)
	if len(near) > 0 {
		err.With("did_you_mean", near)
	}
	return err
}

func detail(err *fault.Error, got string) *fault.Error {
	return err.With("parameter", "path").With("got", got)
}

// cause drops the operation and the absolute path from an error of the system.
func cause(err error) error {
	if pathErr, ok := errors.AsType[*fs.PathError](err); ok {
		return pathErr.Err
	}
	return err
}
