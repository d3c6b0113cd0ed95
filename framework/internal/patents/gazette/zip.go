package gazette

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/sagasu-search/sagasu/framework/internal/patents/publication"
)

const (
	// mostGrowth is how many times its size an archive may become when it is unpacked, from leastBound on: texts
	// become ten times as long, what is made to fill disks a thousand times.
	mostGrowth = 200
	leastBound = 1 << 30
)

// memberExts are the files of an archive that hold records; others are images and schemas.
var memberExts = []string{".xml", ".sgm", ".sgml", ".json", ".jsonl"}

// metered is a file that knows how far it was read.
type metered struct {
	*os.File
	at int64
}

func (m *metered) Read(p []byte) (int, error) {
	n, err := m.File.Read(p)
	m.at += int64(n)
	return n, err
}

// ReadAt implements [io.ReaderAt].
func (m *metered) ReadAt(p []byte, at int64) (int, error) {
	m.at = at
	return m.File.ReadAt(p, at)
}

// openFile opens a file of records, or an archive of such files.
func openFile(f Format, in *metered) (source, error) {
	start := make([]byte, 4)
	if n, _ := in.File.ReadAt(start, 0); string(start[:n]) != "PK\x03\x04" {
		return open(f, in)
	}
	info, err := in.Stat()
	if err != nil {
		return nil, err
	}
	archive, err := zip.NewReader(in, info.Size())
	if err != nil {
		return nil, fmt.Errorf("the archive cannot be read: %w", err)
	}
	members := slices.DeleteFunc(archive.File, func(m *zip.File) bool {
		return m.Mode()&os.ModeType != 0 || !slices.Contains(memberExts, strings.ToLower(path.Ext(m.Name)))
	})
	if len(members) == 0 {
		return nil, errors.New("the archive holds no file whose name ends in " + strings.Join(memberExts, ", "))
	}
	return &zipped{format: f, members: members, left: max(leastBound, mostGrowth*info.Size())}, nil
}

// zipped are the records of the files of an archive. They are unpacked while they are read, none to disk.
type zipped struct {
	format  Format
	members []*zip.File // from the one that is read on
	left    int64       // bytes that may still come out of the archive

	name    string
	in      io.ReadCloser
	records source // nil where the next member is to be opened
}

// errGrowth is the error of an archive that becomes too large.
var errGrowth = fmt.Errorf("the archive becomes more than %d times as large when it is unpacked; "+
	"unpack it if it is to be trusted", mostGrowth)

// Read implements [io.Reader] for the member that is read.
func (z *zipped) Read(p []byte) (int, error) {
	n, err := z.in.Read(p)
	if z.left -= int64(n); z.left < 0 {
		return 0, errGrowth
	}
	return n, err
}

func (z *zipped) next() ([]byte, int, error) {
	for {
		if z.records == nil && len(z.members) == 0 {
			return nil, 0, io.EOF
		}
		err := z.open()
		var record []byte
		line := 1
		if err == nil {
			record, line, err = z.records.next()
		}
		_, costsOne := errors.AsType[errRecord](err)
		if err == nil || costsOne {
			return record, line, err
		}
		z.close()
		switch {
		case errors.Is(err, errGrowth):
			return nil, line, err
		case !errors.Is(err, io.EOF):
			return nil, line, errRecord{fmt.Errorf("the rest of the file cannot be read: %w", err)}
		}
	}
}

// open opens the next member unless one is open.
func (z *zipped) open() (err error) {
	if z.records != nil {
		return nil
	}
	z.name = z.members[0].Name
	if z.in, err = z.members[0].Open(); err == nil {
		z.records, err = open(z.format, z)
	}
	return err
}

// close ends the member that is read.
func (z *zipped) close() {
	if z.in != nil {
		_ = z.in.Close() // what is wrong with it was told by reading
	}
	z.in, z.records, z.members = nil, nil, z.members[1:]
}

func (z *zipped) decode(record []byte) (*publication.Publication, error) {
	return z.records.decode(record)
}
