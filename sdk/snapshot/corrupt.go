package snapshot

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"sync/atomic"
)

// CorruptError reports a file of a snapshot that is damaged, truncated or of a
// foreign format. The remedy is to set the file aside and to build anew.
type CorruptError struct {
	File   string // base name of the file
	Part   string // the part of the file, such as "postings"
	Reason string
	// Foreign says that the file is of another format version than this program reads.
	Foreign bool
}

// Error implements error.
func (e *CorruptError) Error() string {
	if e.Foreign {
		return fmt.Sprintf("snapshot file %s is of another format: %s", e.File, e.Reason)
	}
	return fmt.Sprintf("snapshot file %s is damaged in %s: %s", e.File, e.Part, e.Reason)
}

// damage remembers the first corruption that a read met in a file. Reads then
// answer as if the damaged entry did not exist.
type damage struct {
	file  string
	first atomic.Pointer[CorruptError]
}

// errorf returns a CorruptError of d's file.
func (d *damage) errorf(part, format string, args ...any) *CorruptError {
	return &CorruptError{File: d.file, Part: part, Reason: fmt.Sprintf(format, args...)}
}

// foreign returns the error about d's file of another format version.
func (d *damage) foreign(part string, version int) *CorruptError {
	e := d.errorf(part, "version %d, and this program reads %d", version, FormatVersion)
	e.Foreign = true
	return e
}

// note remembers a corruption.
func (d *damage) note(part, format string, args ...any) {
	d.first.CompareAndSwap(nil, d.errorf(part, format, args...))
}

// guard turns a panic of a library that reads damaged bytes into a remembered
// corruption. It must be deferred.
func (d *damage) guard(part string) {
	if r := recover(); r != nil {
		d.note(part, "unreadable: %v", r)
	}
}

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

// Check returns the first corruption that a read met or, reading nothing, a file
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
