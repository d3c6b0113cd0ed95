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
	temp := name + ".tmp"
	if err = root.WriteFile(temp, data, 0o600); err == nil {
		err = root.Rename(temp, name)
	}
	if err != nil { // a full disk
		return errors.Join(err, root.Remove(temp))
	}
	return nil
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
