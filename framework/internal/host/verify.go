package host

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
)

// ErrUnpinned means that an executable is not the one that its entry pins.
var ErrUnpinned = errors.New("the executable is not the one that was trusted")

// ErrNotInstalled means that a strategy is named that nobody has installed.
var ErrNotInstalled = errors.New("it is not installed: sagasu plugin install installs it, sync what " +
	"[plugins] of the configuration names")

// openBinary opens the executable of e and checks it against its hash. A bundled strategy needs no check: it is the
// running image itself.
func openBinary(e *Entry) (*os.File, error) {
	path := e.Path
	if path == "" {
		self, err := selfPath()
		if err != nil {
			return nil, err
		}
		return os.Open(self)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	if err := verify(f, e.SHA256); err != nil {
		_ = f.Close() // opened for reading
		return nil, err
	}
	return f, nil
}

// verify compares the content of f with a hexadecimal SHA-256.
func verify(f *os.File, want string) error {
	sum, err := hex.DecodeString(want)
	if err != nil {
		return fmt.Errorf("%w: %s has no valid hash", ErrUnpinned, f.Name())
	}
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return fmt.Errorf("hash the executable: %w", err)
	}
	if got := h.Sum(nil); subtle.ConstantTimeCompare(got, sum) != 1 {
		return fmt.Errorf("%w: %s has SHA-256 %x, its entry says %s", ErrUnpinned, f.Name(), got, want)
	}
	return nil
}
