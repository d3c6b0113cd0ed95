package rootfs

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"strings"

	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// suggestions is the maximum number of names that a not_found suggests, considered that of names that are checked for
// it.
const (
	suggestions = 3
	considered  = 10
)

// explainLookup returns the error for a failed lookup of rest[0].
func (r *Root) explainLookup(cleaned string, at *spot, rest []string, err error) *toolset.Error {
	if !absent(err) {
		return explainOpen(cleaned, err)
	}
	near := []string{}
	for _, name := range toolset.DidYouMean(rest[0], Names(at.dir), considered) {
		meant := path.Join(append([]string{at.stored, name}, rest[1:]...)...)
		if len(near) < suggestions && RoundTrips(meant) && r.holds(meant) && (r.Offer == nil || r.Offer(meant)) {
			near = append(near, meant)
		}
	}
	return missing(cleaned, near)
}

// holds reports whether a file or folder is at a path without links.
func (r *Root) holds(cleaned string) bool {
	for i := 0; ; {
		next := strings.IndexByte(cleaned[i:], '/')
		at := cleaned
		if next >= 0 {
			at = cleaned[:i+next]
		}
		info, err := r.root.Lstat(at)
		if err != nil || !info.IsDir() && (next >= 0 || !info.Mode().IsRegular()) {
			return false
		}
		if next < 0 {
			return true
		}
		i += next + 1
	}
}

// explainOpen returns the error for opening what a lookup has just found. It wraps errRaced if only a replaced file can
// be the cause.
func explainOpen(cleaned string, err error) *toolset.Error {
	switch {
	case Escapes(err):
		return detail(toolset.Errorf(toolset.OutOfScope,
			"%s leads out of its root and was %w; give a path below the root", cleaned, errRaced), cleaned).
			With("expected", "a path below the root")
	case absent(err):
		return raced(cleaned)
	default:
		return unreadable(cleaned, err)
	}
}

// Escapes reports whether an error is os.Root's refusal to leave the root, for which no exported value exists.
func Escapes(err error) bool {
	pathErr, ok := errors.AsType[*fs.PathError](err)
	return ok && strings.Contains(pathErr.Err.Error(), "escapes from parent")
}

func raced(path string) *toolset.Error {
	return detail(toolset.Errorf(toolset.NotAvailable, "%s was %w; try again", path, errRaced), path).With("expected",
		"a file that is left in its place")
}

func unreadable(path string, err error) *toolset.Error {
	return detail(toolset.Errorf(toolset.NotAvailable, "%s cannot be read: %w; check its permissions", path,
		Cause(err)), path).With("expected", "a file that can be read")
}

func isLink(path, link string) *toolset.Error {
	return detail(toolset.Errorf(toolset.Forbidden, "%s is a symbolic link, and links are not followed; copy the "+
		"file to its place or name the target itself", link), path).
		With("expected", "a path without symbolic links")
}

func wrongKind(path string, mode fs.FileMode) *toolset.Error {
	switch {
	case mode.IsDir():
		return detail(toolset.Errorf(toolset.InvalidPath, "%s is a folder; name a file in it", path),
			path).With("expected", "a file")
	case mode.IsRegular():
		return detail(toolset.Errorf(toolset.InvalidPath, "%s is a file, not a folder", path), path).With("expected",
			"a folder")
	}
	return detail(toolset.Errorf(toolset.Forbidden, "%s is neither a file nor a folder", path), path).With("expected",
		"a regular file")
}

func missing(path string, near []string) *toolset.Error {
	err := detail(toolset.Errorf(toolset.NotFound, "%s does not exist; check the path, or list the folder first", path),
		path).
		With("expected", "the path of what exists")
	if len(near) > 0 {
		err.With("did_you_mean", near)
	}
	return err
}

func detail(err *toolset.Error, got string) *toolset.Error {
	return err.With("parameter", "path").With("got", got)
}

// Cause removes the operation and the absolute paths from a system error: callers of tools need not know where roots
// are.
func Cause(err error) error {
	if pathErr, ok := errors.AsType[*fs.PathError](err); ok {
		return pathErr.Err
	}
	if linkErr, ok := errors.AsType[*os.LinkError](err); ok {
		return linkErr.Err
	}
	return err
}
