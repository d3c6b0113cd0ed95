package snapshot

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"sync/atomic"
)

// CorruptError reports a snapshot file that is damaged, truncated or in another format. To recover,
// set the file aside and rebuild the index.
type CorruptError struct {
	File   string // base name of the file
	Part   string // the part of the file, such as "postings"
	Reason string
	// Foreign says that the file has a format version that this program does not read.
	Foreign bool
}

// Error implements error.
func (e *CorruptError) Error() string {
	if e.Foreign {
		return fmt.Sprintf("snapshot file %s is of another format: %s", e.File, e.Reason)
	}
	return fmt.Sprintf("snapshot file %s is damaged in %s: %s", e.File, e.Part, e.Reason)
}

// damage records the first corruption found while reading a file. Reads treat a damaged entry as if
// it did not exist.
type damage struct {
	file  string
	first atomic.Pointer[CorruptError]
}

// errorf returns a CorruptError of d's file.
func (d *damage) errorf(part, format string, args ...any) *CorruptError {
	return &CorruptError{File: d.file, Part: part, Reason: fmt.Sprintf(format, args...)}
}

// foreign returns the error that d's file has another format version.
func (d *damage) foreign(part string, version int) *CorruptError {
	e := d.errorf(part, "version %d, and this program reads %d", version, FormatVersion)
	e.Foreign = true
	return e
}

// note records a corruption.
func (d *damage) note(part, format string, args ...any) {
	d.first.CompareAndSwap(nil, d.errorf(part, format, args...))
}

// guard recovers a panic of a library that reads damaged bytes and records it as a corruption. It
// must be deferred.
func (d *damage) guard(part string) {
	if r := recover(); r != nil {
		d.note(part, "unreadable: %v", r)
	}
}

// Guard runs read, which may use s, and returns its error or else the first corruption found. If a
// file is truncated after it was mapped, or its disk fails, reading the lost memory would crash the
// process; Guard stops read instead and reports a corruption. This works for the calling goroutine,
// not for goroutines that read starts. Other panics are not recovered.
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

// noteFault records a corruption of the segment whose memory could not be read, and reports whether
// this caused the panic.
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

// Check returns the first corruption that a read found. Otherwise it fails if a file is missing or
// has changed its size since it was mapped. It does not read the files.
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
