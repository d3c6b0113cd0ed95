package snapshot

import (
	"fmt"
	"math"
	"os"
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
