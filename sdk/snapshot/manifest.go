package snapshot

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/RoaringBitmap/roaring/v2"
)

const (
	manifestExt = ".json"
	segmentExt  = ".seg"
	currentName = "CURRENT-"
)

// Manifest lists what a snapshot is made of. Its file is immutable.
type Manifest struct {
	Version     int           `json:"version"` // FormatVersion
	Name        string        `json:"name"`
	Kind        Kind          `json:"kind"`
	Fields      []string      `json:"fields"`
	Segments    []SegmentInfo `json:"segments"`
	Created     time.Time     `json:"created"`
	Fingerprint string        `json:"fingerprint"`        // see [Fingerprint]
	Pending     int           `json:"pending,omitempty"`  // number of known files that are not in it yet, during a build
	Gathered    *Statistics   `json:"gathered,omitempty"` // statistics of the collection that the sections were gathered from, or nil
	Sample      string        `json:"sample,omitempty"`   // name of a snapshot in the same directory that represents the collection
	Checksum    uint32        `json:"checksum"`           // CRC-32C of the file with 0 in this place
}

// SegmentInfo is a segment of a snapshot.
type SegmentInfo struct {
	File     string    `json:"file"` // base name
	Bytes    int64     `json:"bytes"`
	Sections uint32    `json:"sections"`
	CRC      uint32    `json:"crc"`               // of the table of parts, which holds the checksum of each
	Created  time.Time `json:"created"`           // not later than the first read of any of its files
	Deleted  []byte    `json:"deleted,omitempty"` // tombstones: a portable bitmap of rows of the file table
}

// WithDeleted returns the segment with exactly the files in these rows deleted.
func (i SegmentInfo) WithDeleted(rows *roaring.Bitmap) (SegmentInfo, error) {
	i.Deleted = nil
	if rows == nil || rows.IsEmpty() {
		return i, nil
	}
	data, err := rows.ToBytes()
	if err != nil {
		return i, fmt.Errorf("encode tombstones: %w", err)
	}
	i.Deleted = data
	return i, nil
}

// Files returns the base names of the files that m lists, its own included.
func (m *Manifest) Files() []string {
	files := []string{m.Name + manifestExt}
	for _, g := range m.Segments {
		files = append(files, g.File)
	}
	return files
}

// Fingerprint identifies the content of files: the SHA-256, in hexadecimal, of
// their groups, paths and content hashes in order of group and path.
func Fingerprint(files []File) string {
	sorted := slices.Clone(files)
	slices.SortFunc(sorted, compareFiles)
	h := sha256.New()
	var line []byte
	for _, f := range sorted {
		line = append(strconv.AppendInt(line[:0], int64(len(f.Group)), 10), ':')
		line = append(strconv.AppendInt(append(line, f.Group...), int64(len(f.Path)), 10), ':')
		line = hex.AppendEncode(append(line, f.Path...), f.SHA256[:])
		h.Write(line)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// encode returns the manifest as JSON, with its checksum. readManifest accepts only this encoding.
func (m Manifest) encode() ([]byte, error) {
	m.Checksum = 0
	blank, err := json.Marshal(m)
	if err != nil {
		return nil, fmt.Errorf("encode manifest: %w", err)
	}
	m.Checksum = crc32.Checksum(blank, castagnoli)
	data, err := json.Marshal(m)
	return append(data, '\n'), err
}

// readManifest reads and checks the manifest of a snapshot.
func readManifest(root *os.Root, name string) (Manifest, error) {
	data, err := root.ReadFile(name + manifestExt)
	if err != nil {
		return Manifest{}, fmt.Errorf("open snapshot: %w", err)
	}
	d := &damage{file: name + manifestExt}
	return decodeManifest(d, name, data)
}

func decodeManifest(d *damage, name string, data []byte) (Manifest, error) {
	var m Manifest
	if err := json.Unmarshal(data, &m); err != nil {
		return m, d.errorf("manifest", "%v", err)
	}
	if m.Version != FormatVersion {
		return m, d.foreign("manifest", m.Version)
	}
	if again, err := m.encode(); err != nil || !bytes.Equal(again, data) {
		return m, d.errorf("manifest", "checksum differs")
	}
	if m.Name != name {
		return m, d.errorf("manifest", "it names itself %q", m.Name)
	}
	for _, file := range m.Files() {
		if !filepath.IsLocal(file) || filepath.Base(file) != file {
			return m, d.errorf("manifest", "it names the file %q", file)
		}
	}
	return m, nil
}

// Current returns the name of the newest snapshot of a kind in dir. The error wraps
// fs.ErrNotExist when there is none.
func Current(dir string, kind Kind) (string, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return "", fmt.Errorf("current snapshot: %w", err)
	}
	defer root.Close()
	data, err := root.ReadFile(currentName + string(kind))
	if err != nil {
		return "", fmt.Errorf("current snapshot: %w", err)
	}
	name := strings.TrimSuffix(string(data), "\n")
	if checkName(name) != nil || !strings.HasPrefix(name, string(kind)+"-") {
		return "", &CorruptError{File: currentName + string(kind), Part: "name", Reason: fmt.Sprintf("%.60q", data)}
	}
	return name, nil
}

// CurrentFile returns the name of the file that names the newest snapshot of a kind.
func CurrentFile(kind Kind) string { return currentName + string(kind) }

// checkName accepts <kind>-<number>, so that a name is never a path.
func checkName(name string) error {
	kind, number, ok := cutName(name)
	if !ok || kind == "" || number == 0 || formatName(Kind(kind), number) != name {
		return fmt.Errorf("snapshot name %.60q: %w", name, fs.ErrInvalid)
	}
	return nil
}
