package gazette

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/sagasu-search/sagasu/framework/internal/patents/publication"
)

// RefusedExt is added to the name of an import's output to name the list of the records
// that it refused, a JSON object a line. It is there while there are any.
const RefusedExt = ".refused"

// keepRefused leaves the list beside the output.
func (j *job) keepRefused() error {
	if j.state.Refused > 0 {
		return j.folder.Rename(j.base+refusedExt, j.base+RefusedExt)
	}
	for _, name := range []string{j.base + refusedExt, j.base + RefusedExt} {
		if err := j.folder.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// ReadRefused reads the list beside a file of a collection: the first most records, and how
// many there are. A file that was not imported has none.
func ReadRefused(folder *os.Root, name string, most int) (first []publication.Refused, n int, err error) {
	f, err := folder.Open(name + RefusedExt)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, 0, nil
	} else if err != nil {
		return nil, 0, err
	}
	defer f.Close()
	for lines := publication.NewLines(f); ; n++ {
		line, _, err := lines.Next()
		if errors.Is(err, io.EOF) {
			return first, n, nil
		} else if err != nil {
			return first, n, err
		}
		var r publication.Refused
		if n >= most {
			continue
		}
		if err := json.Unmarshal(line, &r); err != nil {
			return first, n, fmt.Errorf("%s, line %d: %w", name+RefusedExt, n+1, err)
		}
		first = append(first, r)
	}
}
