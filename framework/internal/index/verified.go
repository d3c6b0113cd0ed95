package index

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"time"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// verifyAgain is the age at which a segment is verified again although its file is the same: the disk may have damaged
// it.
const verifyAgain = 24 * time.Hour

// verifiedFile returns the name of the file that tells other processes which segments were verified.
func verifiedFile(kind snapshot.Kind) string { return string(kind) + "-verified.gob" }

// openVerified opens a snapshot and verifies the segments that the current one does not have and that no process
// verified lately: reading every byte of a large index takes longer than a search.
func (x *Index) openVerified(name string) (*snapshot.Snapshot, error) {
	if base := x.base(); base != nil && base.Err() == nil {
		return base.Successor(name)
	}
	snap, err := snapshot.Open(x.opts.Dir, name, false)
	if err != nil {
		return nil, err
	}
	if err := x.verify(snap); err != nil {
		return nil, errors.Join(err, snap.Close())
	}
	return snap, nil
}

func (x *Index) verify(snap *snapshot.Snapshot) error {
	file := verifiedFile(x.schema.Kind)
	known, now := x.shared(file), memory{}
	for _, g := range snap.Segments() {
		info, err := os.Lstat(filepath.Join(x.opts.Dir, g.Info().File))
		if err != nil {
			return err
		}
		m := memo{file: corpus.Describe("", g.Info().File, info), read: time.Now(), again: true}
		k := key{path: m.file.Path}
		if old := known[k]; old.unchanged(m.file) && m.read.Sub(old.read).Abs() < verifyAgain {
			m = old
		} else if err := snapshot.Verify(x.opts.Dir, g.Info()); err != nil {
			return err
		}
		now[k] = m
	}
	if !maps.Equal(known, now) {
		x.share(now, file)
	}
	return nil
}
