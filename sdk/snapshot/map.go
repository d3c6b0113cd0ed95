package snapshot

import (
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"unsafe"
)

// mapping is a file in memory, read-only.
type mapping []byte

// mapFile maps a regular file of an index directory.
func mapFile(root *os.Root, file string) (mapping, error) {
	f, err := root.Open(file)
	if err != nil {
		return nil, fmt.Errorf("open snapshot: %w", err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, fmt.Errorf("open snapshot: %w", err)
	}
	d := &damage{file: file}
	if !info.Mode().IsRegular() || info.Size() == 0 || info.Size() > math.MaxInt {
		return nil, d.errorf("file", "not a regular file with content")
	}
	m, err := mapWhole(f, int(info.Size()))
	if err != nil {
		return nil, fmt.Errorf("map %s: %w", file, err)
	}
	return m, nil
}

// offset returns the offset of an address in the mapping, and whether the address is in it.
func (m mapping) offset(at uintptr) (uintptr, bool) {
	start := uintptr(unsafe.Pointer(unsafe.SliceData(m)))
	return at - start, at >= start && at-start < uintptr(len(m))
}

// Views reports whether a string points into the snapshot's mapped memory, which Close unmaps.
func (s *Snapshot) Views(text string) bool {
	at := uintptr(unsafe.Pointer(unsafe.StringData(text)))
	return text != "" && slices.ContainsFunc(s.maps, func(m mapping) bool {
		_, inside := m.offset(at)
		return inside
	})
}

// Outlive returns a string that stays valid after Close: a copy if text points into the snapshot's
// memory, else text itself.
func (s *Snapshot) Outlive(text string) string {
	if s.Views(text) {
		return strings.Clone(text)
	}
	return text
}
