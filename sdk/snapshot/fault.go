package snapshot

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
)

// Guard runs read, which may use s, and gives its error or else the first
// corruption that a read met. A file that was cut after it was mapped, or whose
// disk fails, would end the process when the lost memory is read; here it ends
// read alone, and is such a corruption. That holds for the calling goroutine,
// not for those that read starts. Other panics pass.
func (s *Snapshot) Guard(read func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if r := recover(); r != nil && !s.noteFault(r) {
			panic(r)
		}
		if err == nil {
			err = s.Err()
		}
	}()
	return read()
}

// noteFault remembers the segment whose memory could not be read, if that is
// what a panic was about.
func (s *Snapshot) noteFault(panicked any) bool {
	fault, ok := panicked.(interface{ Addr() uintptr }) // documented at SetPanicOnFault
	if !ok {
		return false
	}
	for i, m := range s.maps[:min(len(s.maps), len(s.segments))] {
		if at, ok := m.offset(fault.Addr()); ok {
			s.segments[i].damage.note("file", "unreadable at byte %d", at)
			return true
		}
	}
	return false
}

// Check gives the first corruption that a read met or, reading nothing, a file
// that is not there any more or not as long as when it was mapped.
func (s *Snapshot) Check() error {
	for _, g := range s.segments {
		info, err := os.Stat(filepath.Join(s.dir, g.info.File))
		switch {
		case err != nil:
			return errors.Join(s.Err(), fmt.Errorf("check snapshot: %w", err))
		case info.Size() != g.info.Bytes && s.Err() == nil:
			return g.damage.errorf("file", "%d bytes, %d when it was opened", info.Size(), g.info.Bytes)
		}
	}
	return s.Err()
}
