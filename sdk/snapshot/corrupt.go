package snapshot

import (
	"fmt"
	"sync/atomic"
)

// CorruptError reports a file of a snapshot that is damaged, truncated or of a
// foreign format. The remedy is to set the file aside and to build anew.
type CorruptError struct {
	File   string // base name of the file
	Part   string // the part of the file, such as "postings"
	Reason string
}

// Error implements error.
func (e *CorruptError) Error() string {
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
