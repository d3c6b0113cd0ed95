package docimport

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/rootfs"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	ziplist "github.com/sagasu-search/sagasu/sdk/x/archive"
)

// Limits on an archive, besides those of [ziplist.List].
const (
	mostUnpacked = 8 << 30 // bytes
	// mostGrowth is the maximum ratio of unpacked to packed size, of a file larger than freeFileBytes, and of all files
	// together if they are larger than freeBytes: texts grow tenfold, what is made to fill disks a thousandfold.
	mostGrowth    = 400
	freeFileBytes = 4 << 20
	freeBytes     = 64 << 20
)

// archive is a zip archive whose files are imported. The names of its texts begin with prefix.
type archive struct {
	path      string
	prefix    string
	documents corpus.Documents
	names     map[string]bool // names of its files, once known
}

// isZip reports whether a file is a zip archive, by its name.
func isZip(name string) bool { return strings.EqualFold(path.Ext(name), ".zip") }

// isArchive reports whether a file begins like a zip archive.
func isArchive(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	start := make([]byte, 4)
	n, _ := io.ReadFull(f, start)
	return bytes.Equal(start[:n], []byte("PK\x03\x04")) || bytes.Equal(start[:n], []byte("PK\x05\x06"))
}

func (a *archive) from() string { return a.path }

// holds implements source: the files of the archive still exist, even if nothing can read them any more.
func (a *archive) holds(source string) bool {
	name, in := strings.CutPrefix(source, a.path+"/")
	return in && a.names[name]
}

func (a *archive) run(ctx context.Context, w *writer) (complete bool, err error) {
	in, err := os.Open(a.path)
	if err != nil {
		return false, err
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil {
		return false, err
	}
	z, err := ziplist.List(in, info.Size())
	if err != nil {
		return false, refuse("%v", err)
	}
	temp, err := os.MkdirTemp("", "sagasu-import-")
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(temp)
	left := min(mostUnpacked, max(freeBytes, info.Size()*mostGrowth))
	names := ziplist.FileNames(z.File)
	a.names = map[string]bool{}
	for _, name := range names {
		a.names[slashed(name)] = true
	}
	for i, f := range z.File {
		name, reason := a.nameOf(f, names[i])
		shown := filepath.Base(a.path) + "/" + printable(names[i])
		if reason != "" {
			w.skip(shown, reason)
		}
		if name == "" {
			continue
		}
		w.progress(name, i, len(z.File))
		if err := w.document(ctx, document{
			name: path.Join(a.prefix, name), cited: shown, from: a.path, source: a.path + "/" + name,
			open: func(ctx context.Context) (corpus.File, error) {
				return readMember(ctx, a.documents, f, temp, path.Base(name), &left)
			},
		}); err != nil {
			return false, err
		}
	}
	return true, nil
}

// nameOf returns the path of the text of a file below the prefix. If the file is not imported, it returns "", and the
// reason unless it is not a document.
func (a *archive) nameOf(f *zip.File, name string) (clean, reason string) {
	name = slashed(name)
	if strings.HasSuffix(name, "/") {
		return "", ""
	}
	stored, bad := rootfs.Clean("name", name)
	m := corpus.Manual{Documents: a.documents}
	kept := m.IsFile(name)
	switch {
	case isZip(name):
		return "", "an archive in an archive is not opened"
	case !kept || leftOut(name):
		if !leftOut(name) {
			reason = m.Unread(name)
		}
		return "", reason
	case bad != nil || stored != name:
		return "", "its name leads out of the archive, or is no path"
	case rootfs.Unaskable(name) != "":
		return "", rootfs.Unaskable(name)
	case f.Mode()&fs.ModeType != 0:
		return "", "it is a link or a device"
	}
	return name, ""
}

// slashed returns a name with slashes, where some archivers on Windows write backslashes.
func slashed(name string) string {
	if strings.Contains(name, "/") {
		return name
	}
	return strings.ReplaceAll(name, `\`, "/")
}

// leftOut reports whether a path leads through a folder without manual text.
func leftOut(name string) bool {
	parts := strings.Split(name, "/")
	return slices.ContainsFunc(parts[:len(parts)-1], func(dir string) bool {
		return corpus.LeftOut(dir) && dir != "." && dir != ".." || dir == "__MACOSX"
	})
}

// printable returns a name on one line.
func printable(name string) string {
	return strings.Map(func(r rune) rune { // invalid UTF-8 is replaced as well
		if !unicode.IsGraphic(r) {
			return utf8.RuneError
		}
		return r
	}, name)
}

// readMember unpacks a file of an archive into a folder, reads it and removes it. left is the number of bytes that may
// still be unpacked.
func readMember(
	ctx context.Context, documents corpus.Documents, f *zip.File, temp, base string, left *int64,
) (corpus.File, error) {
	most := min(*left, corpus.MaxDocument, max(freeFileBytes, int64(min(f.CompressedSize64, mostUnpacked))*mostGrowth))
	m := corpus.Manual{Dir: temp, Only: base, Documents: documents}
	if !m.Reads(base) {
		most = min(most, corpus.MaxSize)
	}
	if f.Flags&1 != 0 {
		return corpus.File{}, unfit("it is encrypted")
	}
	in, err := f.Open()
	if err != nil {
		return corpus.File{}, unfit("it is damaged: " + err.Error())
	}
	defer in.Close()
	n, err := save(ctx, filepath.Join(temp, base), in, most)
	*left -= n
	defer os.Remove(filepath.Join(temp, base))
	switch {
	case errors.Is(err, errTooLarge):
		return corpus.File{}, unfit("it is too large when it is unpacked")
	case onDisk(err):
		return corpus.File{}, unfit("it cannot be unpacked: " + rootfs.Cause(err).Error())
	case err != nil:
		return corpus.File{}, unfit("it is damaged: " + err.Error())
	}
	return corpus.Open(ctx, m, base)
}

// unfit returns the error for a document that is not imported.
func unfit(reason string) error {
	return toolset.Errorf(toolset.NotAvailable, "it cannot be read: %s", reason).With("reason", reason)
}

// onDisk reports whether an error of save is about the file that it writes.
func onDisk(err error) bool {
	_, ok := errors.AsType[*fs.PathError](err)
	return ok
}

var errTooLarge = errors.New("too large")

// save writes a file of at most most bytes.
func save(ctx context.Context, name string, in io.Reader, most int64) (n int64, err error) {
	out, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return 0, err
	}
	n, err = io.Copy(out, io.LimitReader(until{ctx, in}, most+1))
	if err = errors.Join(err, out.Close()); err == nil && n > most {
		err = errTooLarge
	}
	return n, err
}

// until reads until a context ends.
type until struct {
	ctx context.Context
	io.Reader
}

func (u until) Read(p []byte) (int, error) {
	if err := u.ctx.Err(); err != nil {
		return 0, err
	}
	return u.Reader.Read(p)
}
