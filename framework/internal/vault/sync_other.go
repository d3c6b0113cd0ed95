//go:build !windows

package vault

import "errors"

// sync makes the names in the folder durable.
func (f *folder) sync() error {
	dir, err := f.root.Open(".")
	if err != nil {
		return err
	}
	return errors.Join(dir.Sync(), dir.Close())
}
