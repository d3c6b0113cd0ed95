//go:build unix

package snapshot

import (
	"os"

	"golang.org/x/sys/unix"
)

func mapWhole(f *os.File, size int) (mapping, error) {
	return unix.Mmap(int(f.Fd()), 0, size, unix.PROT_READ, unix.MAP_SHARED)
}

func (m mapping) unmap() error { return unix.Munmap(m) }

// syncDir makes renames in a directory durable.
func syncDir(root *os.Root) error {
	d, err := root.Open(".")
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}
