package trust

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/gofrs/flock"
	"github.com/pelletier/go-toml/v2"

	"github.com/sagasu-search/sagasu/framework/internal/store"
)

const (
	// FileName is the name of the lock in the user's configuration folder.
	FileName = "plugins.lock"
	// formatVersion is the version of the lock's form.
	formatVersion = 1
	// retry is how often a change looks whether another has ended.
	retry = 20 * time.Millisecond
	// heading explains the file to whoever opens it.
	heading = "# Written by sagasu plugin install; sagasu plugin ls shows it.\n"
)

// document is the lock as it is written.
type document struct {
	Version int      `toml:"version"`
	Plugins []Plugin `toml:"plugin"`
}

// Read returns the installed strategies by name, none when there is no lock in the
// user's configuration folder. A lock that cannot be relied on is an error on one line.
func Read(configHome string) ([]Plugin, error) {
	path := filepath.Join(configHome, FileName)
	src, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the installed strategies: %w", err)
	}
	if err := ownAlone(path); err != nil {
		return nil, err
	}
	plugins, err := parse(src)
	if err != nil {
		return nil, fmt.Errorf("%s: %w (mend it, or remove it and install the strategies again)", path, err)
	}
	return plugins, nil
}

// ownAlone refuses a lock that others may write, or put another in the place of: they
// could install what they like. In a sticky folder each may replace only what is theirs;
// a folder is often the private group's too.
func ownAlone(path string) error {
	for _, look := range []struct {
		path, mode string
		others     fs.FileMode
	}{{path, "600", 0o022}, {filepath.Dir(path), "700", 0o002}} {
		info, err := os.Stat(look.path)
		if err != nil {
			return fmt.Errorf("read the installed strategies: %w", err)
		}
		if runtime.GOOS != "windows" && info.Mode().Perm()&look.others != 0 && info.Mode()&fs.ModeSticky == 0 {
			return fmt.Errorf("%s may be written by others: chmod %s it, then look at what %s holds", look.path,
				look.mode, FileName)
		}
	}
	return nil
}

// parse reads a lock and trusts nothing in it.
func parse(src []byte) ([]Plugin, error) {
	var d document
	in := toml.NewDecoder(bytes.NewReader(src))
	in.DisallowUnknownFields()
	if err := in.Decode(&d); err != nil {
		return nil, place(err)
	}
	if d.Version != formatVersion {
		return nil, fmt.Errorf("its version is %d; this sagasu knows %d", d.Version, formatVersion)
	}
	seen := map[string]bool{}
	for i := range d.Plugins {
		p := &d.Plugins[i]
		if err := p.check(); err != nil {
			return nil, err
		}
		if seen[p.Name] {
			return nil, fmt.Errorf("strategy %s is entered twice", p.Name)
		}
		seen[p.Name] = true
		p.fill()
	}
	slices.SortFunc(d.Plugins, func(a, b Plugin) int { return cmp.Compare(a.Name, b.Name) })
	return d.Plugins, nil
}

// place says in one line where a lock is not what it should be.
func place(err error) error {
	if unknown, ok := errors.AsType[*toml.StrictMissingError](err); ok && len(unknown.Errors) > 0 {
		row, _ := unknown.Errors[0].Position()
		return fmt.Errorf("line %d: unknown key %s", row, strings.Join(unknown.Errors[0].Key(), "."))
	}
	if broken, ok := errors.AsType[*toml.DecodeError](err); ok {
		row, _ := broken.Position()
		return fmt.Errorf("line %d: %s", row, strings.TrimPrefix(broken.Error(), "toml: "))
	}
	return err
}

// Change reads the lock, lets edit change its entries and writes it whole, while no other
// process does so. An error of edit leaves it as it is.
func Change(ctx context.Context, configHome string, edit func([]Plugin) ([]Plugin, error)) error {
	if err := os.MkdirAll(configHome, 0o700); err != nil {
		return fmt.Errorf("make the configuration folder: %w", err)
	}
	lock := flock.New(filepath.Join(configHome, "."+FileName))
	if _, err := lock.TryLockContext(ctx, retry); err != nil {
		return fmt.Errorf("lock the installed strategies: %w", err)
	}
	defer func() { _ = lock.Close() }() // lets go of it
	plugins, err := Read(configHome)
	if err != nil {
		return err
	}
	if plugins, err = edit(plugins); err != nil {
		return err
	}
	src, err := toml.Marshal(document{formatVersion, plugins})
	if err != nil {
		return fmt.Errorf("write the installed strategies: %w", err)
	}
	if _, err := parse(src); err != nil {
		return err
	}
	if err := store.Replace(filepath.Join(configHome, FileName), append([]byte(heading), src...), 0o600); err != nil {
		return fmt.Errorf("write the installed strategies: %w", err)
	}
	return nil
}
