package archive

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"path"
	"strings"

	"github.com/sagasu-search/sagasu/sdk"
)

const (
	maxSize      = 1 << 30   // of a document, in bytes
	maxDirectory = 16 << 20  // of its list of files
	maxFile      = 128 << 20 // of a file in it
	maxTotal     = 512 << 20 // of everything that is read
	// maxGrowth is the maximum compression ratio of a file that is larger than free.
	maxGrowth = 400
	free      = 4 << 20
)

// Archive is an open document. It is not safe for concurrent use.
type Archive struct {
	files map[string]*zip.File
	names []string
	left  int64
}

// Open opens a document. Its errors are sentences that users can read.
func Open(doc sdk.Document) (*Archive, error) {
	var start [8]byte
	n, err := doc.Content.ReadAt(start[:], 0)
	switch {
	case err != nil && !errors.Is(err, io.EOF):
		return nil, err
	case n == 0:
		return nil, errors.New("the file is empty")
	case bytes.HasPrefix(start[:], []byte("\xd0\xcf\x11\xe0")):
		return nil, errors.New(
			"the file is encrypted, or of an Office before 2007; save it again without a password, in a new format")
	case !bytes.HasPrefix(start[:], []byte("PK")):
		return nil, errors.New("the file is not what its name says: it is no zip archive")
	case doc.Size > maxSize:
		return nil, errors.New("the file is larger than 1 GiB")
	}
	z, err := List(doc.Content, doc.Size)
	if err != nil {
		return nil, err
	}
	a := &Archive{files: map[string]*zip.File{}, left: maxTotal}
	names := FileNames(z.File)
	for i, file := range z.File {
		name := names[i]
		if key := keyOf(name); a.files[key] == nil {
			a.files[key] = file
			if file.Mode().IsRegular() {
				a.names = append(a.names, relative(name))
			}
		}
	}
	return a, nil
}

// List reads the list of files of a zip archive. It fails if the list is too long. Its errors are sentences that
// users can read.
func List(content io.ReaderAt, size int64) (*zip.Reader, error) {
	directory := &limited{ReaderAt: content, left: maxDirectory}
	z, err := zip.NewReader(directory, size)
	if err != nil {
		return nil, fmt.Errorf("the file is damaged or cut off: %w", err)
	}
	directory.left = -1
	return z, nil
}

// limited reads at most left bytes. A negative left means no limit.
type limited struct {
	io.ReaderAt
	left int64
}

func (l *limited) ReadAt(p []byte, at int64) (int, error) {
	if l.left >= 0 {
		if l.left -= int64(len(p)); l.left < 0 {
			return 0, errors.New("its list of files is too long")
		}
	}
	return l.ReaderAt.ReadAt(p, at)
}

// keyOf returns the lookup key of a file name: relative and, as in Office, case-insensitive.
func keyOf(name string) string { return strings.ToLower(relative(name)) }

// relative returns the name as a path that cannot leave the archive.
func relative(name string) string {
	return strings.TrimPrefix(path.Clean("/"+strings.ReplaceAll(name, `\`, "/")), "/")
}

// Names returns the names of the files, as Read takes them.
func (a *Archive) Names() []string { return a.names }

// Has reports whether the archive has a file of that name.
func (a *Archive) Has(name string) bool { return a.files[keyOf(name)] != nil }

// Size returns the size of a file when it is unpacked, as the archive says, or 0.
func (a *Archive) Size(name string) int64 {
	if file := a.files[keyOf(name)]; file != nil {
		return int64(min(file.UncompressedSize64, math.MaxInt64))
	}
	return 0
}

// missingError reports that an archive has no file of that name.
type missingError string

// Error implements error.
func (e missingError) Error() string {
	if e == "" {
		return "a part is missing from the file"
	}
	return fmt.Sprintf("%.100q is missing from the file", string(e))
}

// Is reports whether target is [fs.ErrNotExist].
func (missingError) Is(target error) bool { return target == fs.ErrNotExist }

// Read returns the content of a file. The error is [fs.ErrNotExist] if there is no such file.
func (a *Archive) Read(name string) ([]byte, error) {
	file := a.files[keyOf(name)]
	if file == nil {
		return nil, missingError(name)
	}
	if file.Flags&1 != 0 {
		return nil, errors.New("the file is encrypted")
	}
	most := min(maxFile, a.left, max(free, int64(min(file.CompressedSize64, maxFile))*maxGrowth))
	in, err := file.Open()
	if err != nil {
		return nil, fmt.Errorf("%.100q cannot be read: %w", name, err)
	}
	defer in.Close()
	data, err := io.ReadAll(io.LimitReader(in, most+1))
	a.left -= int64(len(data))
	switch {
	case err != nil:
		return nil, fmt.Errorf("%.100q is damaged: %w", name, err)
	case int64(len(data)) > most:
		return nil, fmt.Errorf("%.100q is too large when unpacked", name)
	}
	return data, nil
}
