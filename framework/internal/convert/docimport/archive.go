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

// What an archive may hold, besides what [ziplist.List] reads.
const (
	mostUnpacked = 8 << 30 // bytes
	// mostGrowth is how many times larger than in the archive a file may be that is larger than freely, and how many
	// times larger than it all files where they are larger than mostFreely: texts become ten times as long, what is
	// made to fill disks a thousand times.
	mostGrowth = 400
	freely     = 4 << 20
	mostFreely = 64 << 20
)

// archive is a zip archive whose files are imported; its texts begin with prefix.
type archive struct {
	path      string
	prefix    string
	documents corpus.Documents
	names     map[string]bool // of its files, once they are known
}

// isZip reports whether a file is a zip archive by its name.
func isZip(name string) bool { return strings.EqualFold(path.Ext(name), ".zip") }

// isArchive reports whether a file begins as a zip archive does.
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

// holds implements source: what the archive holds is there, though nothing may read it any more.
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
	left := min(mostUnpacked, max(mostFreely, info.Size()*mostGrowth))
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

// nameOf returns the path of the text of a file below the prefix, "" where it is not imported, with the reason unless
// it is no document.
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

// slashed returns a name as others write it than some archivers of Windows.
func slashed(name string) string {
	if strings.Contains(name, "/") {
		return name
	}
	return strings.ReplaceAll(name, `\`, "/")
}

// leftOut reports whether a path leads through a folder that holds no text of a manual.
func leftOut(name string) bool {
	parts := strings.Split(name, "/")
	return slices.ContainsFunc(parts[:len(parts)-1], func(dir string) bool {
		return corpus.LeftOut(dir) && dir != "." && dir != ".." || dir == "__MACOSX"
	})
}

// printable returns a name in one line.
func printable(name string) string {
	return strings.Map(func(r rune) rune { // which makes bytes that are not UTF-8 the same
		if !unicode.IsGraphic(r) {
			return utf8.RuneError
		}
		return r
	}, name)
}

// readMember unpacks a file of an archive into a folder, reads it and removes it. left is how many bytes may be
// unpacked.
func readMember(
	ctx context.Context, documents corpus.Documents, f *zip.File, temp, base string, left *int64,
) (corpus.File, error) {
	most := min(*left, corpus.MaxDocument, max(freely, int64(min(f.CompressedSize64, mostUnpacked))*mostGrowth))
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

// unfit returns the error of a document that is not imported.
func unfit(reason string) error {
	return toolset.Errorf(toolset.NotAvailable, "it cannot be read: %s", reason).With("reason", reason)
}

// onDisk reports whether an error of save is one of the file that it writes.
func onDisk(err error) bool {
	_, ok := errors.AsType[*fs.PathError](err)
	return ok
}

var errTooLarge = errors.New("too large")

// save writes a file of at most so many bytes.
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

// until reads as long as a context lasts.
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
