package index

import (
	"errors"
	"io/fs"
	"os"
)

// writeKept atomically replaces a file that is kept next to the snapshots.
func writeKept(dir, name string, data []byte) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	if err := root.WriteFile(name+".tmp", data, 0o600); err != nil {
		return err
	}
	return root.Rename(name+".tmp", name)
}

// readKept returns the content that [writeKept] wrote, or nil if there is none.
func readKept(dir, name string) ([]byte, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	data, err := root.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return data, err
}
