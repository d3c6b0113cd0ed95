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
	Created     time.Time     `json:"created"`     // when the files began to be read
	Fingerprint string        `json:"fingerprint"` // see [Fingerprint]
	Checksum    uint32        `json:"checksum"`    // CRC-32C of the file with 0 in this place
}

// SegmentInfo is a segment of a snapshot.
type SegmentInfo struct {
	File       string      `json:"file"` // base name
	Bytes      int64       `json:"bytes"`
	Sections   uint32      `json:"sections"`
	CRC        uint32      `json:"crc"` // of the table of parts, which holds the checksum of each
	Tombstones *Tombstones `json:"tombstones,omitempty"`
}

// Tombstones is a file with the portable bitmap of the deleted local ids.
type Tombstones struct {
	File  string `json:"file"` // base name
	Bytes int64  `json:"bytes"`
	CRC   uint32 `json:"crc"` // CRC-32C of the file
}

// Files are the base names of the files that m lists, its own included.
func (m *Manifest) Files() []string {
	files := []string{m.Name + manifestExt}
	for _, g := range m.Segments {
		files = append(files, g.File)
		if g.Tombstones != nil {
			files = append(files, g.Tombstones.File)
		}
	}
	return files
}

// Fingerprint identifies the content of files: the SHA-256, in hexadecimal, of
// their groups, paths and content hashes in order of group and path.
func Fingerprint(files []File) string {
	sorted := slices.Clone(files)
	slices.SortFunc(sorted, compareFiles)
	h := sha256.New()
	for _, f := range sorted {
		fmt.Fprintf(h, "%d:%s%d:%s%x", len(f.Group), f.Group, len(f.Path), f.Path, f.SHA256)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// encode is the only form in which a manifest is read again.
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
		return m, d.errorf("manifest", "format version %d, expected %d", m.Version, FormatVersion)
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

// readTombstones reads the deleted local ids of a segment of n sections.
func readTombstones(root *os.Root, info Tombstones, n uint32) (b *roaring.Bitmap, err error) {
	data, err := root.ReadFile(info.File)
	if err != nil {
		return nil, fmt.Errorf("open snapshot: %w", err)
	}
	d := &damage{file: info.File}
	if int64(len(data)) != info.Bytes || crc32.Checksum(data, castagnoli) != info.CRC {
		return nil, d.errorf("tombstones", "checksum differs")
	}
	if b, err = decodeBitmap(data, n); err != nil {
		return nil, d.errorf("tombstones", "%v", err)
	}
	return b, nil
}

// Current is the name of the newest snapshot of a kind in dir. The error wraps
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

// checkName accepts <kind>-<number>, so that a name is never a path.
func checkName(name string) error {
	kind, number, ok := cutName(name)
	if !ok || kind == "" || number == 0 || formatName(Kind(kind), number) != name {
		return fmt.Errorf("snapshot name %.60q: %w", name, fs.ErrInvalid)
	}
	return nil
}
