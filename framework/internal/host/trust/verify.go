package trust

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// Condition is what became of an installed executable.
type Condition string

const (
	Intact  Condition = "ok"      // the one that was installed
	Changed Condition = "changed" // another: it does not start
	Missing Condition = "missing" // gone
)

// Condition compares the executable with what the lock pins.
func (p *Plugin) Condition() (Condition, error) {
	sum, err := Hash(p.Path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return Missing, nil
	case err != nil:
		return Changed, err
	case sum != p.SHA256:
		return Changed, nil
	}
	return Intact, nil
}

// Hash is the SHA-256 of a file, in hexadecimal.
func Hash(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", fmt.Errorf("hash %s: %w", path, err)
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
