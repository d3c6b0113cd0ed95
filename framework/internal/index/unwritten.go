package index

import (
	"errors"
	"io/fs"
	"syscall"

	"github.com/sagasu-search/sagasu/framework/internal/rootfs"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// remedy returns what to do if err says that a directory cannot be written, or "" for other errors.
func remedy(err error) string {
	switch {
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT), errors.Is(err, syscall.EFBIG):
		return "free space there"
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return "make it writable"
	case errors.Is(err, errBusy):
		return "wait until it has ended"
	}
	return ""
}

// unwritten turns a failure to write the index directory into an error that names the directory and
// what to do. It returns other errors unchanged.
func (x *Index) unwritten(err error) error {
	do := remedy(err)
	if do == "" {
		return err
	}
	return toolset.Errorf(toolset.NotAvailable, "the index in %s cannot be written: %w; %s, or set SAGASU_CACHE_DIR "+
		"to another folder", x.opts.Dir, rootfs.Cause(err), do)
}

// setUnwritten records why the last update could not be written. err is the error of the update.
func (x *Index) setUnwritten(err error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.writeErr = nil
	if remedy(err) != "" {
		x.writeErr = toolset.AsError(err)
	}
}
