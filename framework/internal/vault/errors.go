package vault

import (
	"errors"
	"io/fs"
	"syscall"

	"github.com/sagasu-search/sagasu/framework/internal/rootfs"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// errMoved is returned when a program without the vault's lock changed the file meanwhile.
var errMoved = errors.New("it was changed by another program at the same time")

// unwritten turns the failure of a write, which changed nothing, into an error for the caller.
func unwritten(path string, err error) error {
	if _, explained := errors.AsType[*toolset.Error](err); explained {
		return err
	}
	code, do := toolset.NotAvailable, "check the vault's folder"
	expected := "a place that can be written"
	switch {
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT), errors.Is(err, syscall.EFBIG):
		do, expected = "the disk is full or a quota is reached; free some space", "space on the disk"
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		do = "check the permissions of the vault's folder"
	case errors.Is(err, syscall.ENAMETOOLONG):
		code, do, expected = toolset.InvalidPath, "give a shorter name", "names of at most 255 bytes"
	case rootfs.Escapes(err):
		code, do, expected = toolset.OutOfScope, "it leads out of the vault", "a path below the vault"
	case errors.Is(err, errMoved):
		do = "read it and try again"
	}
	return toolset.Errorf(code, "%s was not written: %w; %s", path, rootfs.Cause(err), do).
		Argument("path", path, expected)
}

func linked(path, at string) error {
	return toolset.Errorf(toolset.Forbidden,
		"%s is a symbolic link, and links are not followed; name the target itself", at).
		Argument("path", path, "a path without symbolic links")
}

func notFolder(path, at string) error {
	return toolset.Errorf(toolset.InvalidPath, "%s is a file, not a folder", at).Argument("path", path, "a folder")
}

func notFile(path, at string) error {
	return toolset.Errorf(toolset.InvalidPath, "%s is not a file; name a file in it", at).
		Argument("path", path, "a file")
}

func protected(path, at string) error {
	return toolset.Errorf(toolset.NotAvailable,
		"%s is write-protected; write another file, or have it made writable", at).
		Argument("path", path, "a file that may be written")
}

func missing(path string) *toolset.Error {
	return toolset.Errorf(toolset.NotFound,
		"%s does not exist; make it with vault_create, or check the path with vault_ls", path).
		Argument("path", path, "the path of what exists")
}
