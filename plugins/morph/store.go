package main

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// version changes whenever the morphemes of a text may.
const version = "1 kagome-2.10.3 ipa-1.2.6"

// fileName is where the part of a segment is kept. Segments never change but for what is
// deleted of them.
func fileName(kind snapshot.Kind, info snapshot.SegmentInfo) string {
	id := fmt.Sprintf("%s %s %d %d %d %d", version, info.File, info.Bytes, info.Sections, info.CRC, info.Created.UnixNano())
	sum := sha256.Sum256([]byte(id))
	return string(kind) + "-" + hex.EncodeToString(sum[:12]) + ".morphemes"
}

// load reads the part of a segment, nil where none is kept. A damaged one is made again.
func load(ctx context.Context, root *os.Root, name string, sections uint32) *part {
	if root == nil {
		return nil
	}
	data, err := root.ReadFile(name)
	if err != nil {
		return nil
	}
	p, err := decode(data, sections)
	if err != nil {
		sdk.Logger(ctx).Warn("a file is damaged and is made again", "file", name)
	}
	return p
}

// save keeps a part; the file appears whole. A failure costs only time later.
func save(ctx context.Context, root *os.Root, name string, p *part) {
	if root == nil {
		return
	}
	temp := name + "-" + rand.Text()
	err := root.WriteFile(temp, p.encode(), 0o600)
	if err == nil {
		err = root.Rename(temp, name)
	}
	if err != nil {
		sdk.Logger(ctx).Warn("a file could not be kept", "file", name, "error", errors.Join(err, root.Remove(temp)))
	}
}

// retire removes the parts of a kind of corpus that are not among names. A process that
// still searches with them has read them.
func retire(root *os.Root, kind snapshot.Kind, names []string) {
	if root == nil {
		return
	}
	entries, err := fs.ReadDir(root.FS(), ".")
	if err != nil {
		return
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), string(kind)+"-") && !slices.Contains(names, e.Name()) {
			_ = root.Remove(e.Name()) // the next snapshot tries again
		}
	}
}
