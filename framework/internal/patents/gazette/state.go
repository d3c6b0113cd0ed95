package gazette

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"time"

	"github.com/gofrs/flock"

	"github.com/sagasu-search/sagasu/framework/internal/patents/publication"
)

const (
	partExt    = ".part"         // the output while it is written
	refusedExt = ".part.refused" // the list of what is refused while it is written
	stateExt   = ".part.json"    // how far they are
	lockExt    = ".part.lock"    // locked by the import that writes them
)

// state is how far an import is; with the first Bytes of the part it is all that a later
// run needs to know.
type state struct {
	Inputs   []input `json:"inputs"`
	Format   Format  `json:"format"`
	File     int     `json:"file"`    // the input that is read
	Records  int     `json:"records"` // of it that are done
	Bytes    int64   `json:"bytes"`   // of the part
	Imported int     `json:"imported"`
	Marked   int     `json:"marked"`
	Refused  int     `json:"refused"`

	Empty []string       `json:"empty"` // see [Report]
	Other map[string]int `json:"other"` // see [Report]

	RefusedBytes int64 `json:"refused_bytes"` // of the list of what is refused
}

// input identifies a file that is imported.
type input struct {
	Path     string    `json:"path"`
	Size     int64     `json:"size"`
	Modified time.Time `json:"modified"`
}

// inputs looks at the files to import.
func (j *job) inputs() (fresh state, err error) {
	fresh.Format, fresh.Other = j.Format, map[string]int{}
	for _, path := range j.Inputs {
		info, err := os.Stat(path)
		if err == nil && !info.Mode().IsRegular() {
			err = errors.New("not a file")
		}
		if err != nil {
			return fresh, fmt.Errorf("import %s: %w", path, err)
		}
		fresh.Inputs = append(fresh.Inputs, input{path, info.Size(), info.ModTime().UTC().Round(0)})
		j.total += info.Size()
	}
	return fresh, nil
}

// lock keeps other imports from the output until release.
func (j *job) lock() (release func(), err error) {
	f, err := j.folder.OpenFile(j.base+lockExt, os.O_RDWR|os.O_CREATE, 0o644) // follows no link out
	if err == nil {
		err = f.Close()
	}
	if err != nil {
		return nil, err
	}
	lock := flock.New(j.Output + lockExt)
	if held, err := lock.TryLock(); err == nil && !held { // on an error, this disk has no locks
		return nil, fmt.Errorf("another import to %s is under way; call again when it has ended", j.Output)
	}
	return func() { _, _ = j.folder.Remove(j.base+lockExt), lock.Close() }, nil
}

// begin opens the part, where an earlier run left it if there was one of the same files.
func (j *job) begin(fresh state) (resumed bool, err error) {
	if _, err := j.folder.Lstat(j.base); err == nil && !j.Force {
		return false, fmt.Errorf("%s is there already; --force replaces it", j.Output)
	} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false, err
	}
	j.state = fresh
	if !j.Force {
		if resumed, err = j.resume(fresh); err != nil {
			return false, err
		}
	}
	return resumed, j.openPart()
}

// resume takes up the state of an earlier run.
func (j *job) resume(fresh state) (bool, error) {
	data, err := j.folder.ReadFile(j.base + stateExt)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	old := state{Other: map[string]int{}}
	if err == nil {
		err = json.Unmarshal(data, &old)
	}
	info, missing := j.folder.Stat(j.base + partExt)
	switch {
	case err != nil:
		return false, fmt.Errorf("read how far the last import of %s was: %w; --force begins anew", j.Output, err)
	case !slices.Equal(old.Inputs, fresh.Inputs) || old.Format != fresh.Format:
		return false, fmt.Errorf("an import of other files to %s was not finished; "+
			"give the same files to go on, or --force to begin anew", j.Output)
	case missing != nil || info.Size() < old.Bytes:
		return false, nil
	}
	j.state = old
	for _, in := range old.Inputs[:old.File] {
		j.done += in.Size
	}
	return true, nil
}

// openPart cuts the part to what is known to be whole and reads the numbers it holds.
func (j *job) openPart() (err error) {
	if j.out, err = j.folder.OpenFile(j.base+partExt, os.O_RDWR|os.O_CREATE, 0o644); err != nil {
		return err
	}
	if j.bad, err = j.folder.OpenFile(j.base+refusedExt, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o644); err != nil {
		return err
	}
	if err := cmp.Or(j.out.Truncate(j.state.Bytes), j.bad.Truncate(j.state.RefusedBytes)); err != nil {
		return err
	}
	j.buf = bufio.NewWriterSize(j.out, 256<<10)
	for in := publication.NewReader(j.out); ; {
		p, err := in.Next()
		if errors.Is(err, io.EOF) {
			_, err = j.out.Seek(j.state.Bytes, io.SeekStart)
			return err
		} else if err != nil {
			return err
		}
		j.ids[publication.NumberOf(p.PubID)] = struct{}{}
	}
}

// save records how far the import is.
func (j *job) save() error {
	if err := j.buf.Flush(); err != nil {
		return err
	}
	data, err := json.Marshal(j.state)
	if err != nil {
		return err
	}
	if err := j.folder.WriteFile(j.base+stateExt+".new", data, 0o644); err != nil {
		return err
	}
	return j.folder.Rename(j.base+stateExt+".new", j.base+stateExt)
}

// end closes the part and makes it the output when it is whole.
func (j *job) end(whole bool) error {
	if !whole {
		return errors.Join(j.save(), j.out.Close(), j.bad.Close())
	}
	err := errors.Join(j.buf.Flush(), j.out.Sync(), j.out.Close(), j.bad.Close())
	if err == nil {
		err = j.keepRefused()
	}
	if err == nil {
		err = j.folder.Rename(j.base+partExt, j.base)
	}
	if err == nil {
		if err = j.folder.Remove(j.base + stateExt); errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
	}
	return err
}
