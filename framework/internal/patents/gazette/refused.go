package gazette

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/sagasu-search/sagasu/framework/internal/patents/publication"
)

// RefusedExt is added to the name of an import's output to name the list of the records
// that it refused, a JSON object a line. It is there while there are any.
const RefusedExt = ".refused"

// keepRefused leaves the list beside the output.
func (j *job) keepRefused() error {
	name := j.base + RefusedExt
	if len(j.state.Refused) == 0 {
		if err := j.folder.Remove(name); !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	}
	var list bytes.Buffer
	for _, r := range j.state.Refused {
		line, err := publication.Marshal(r)
		if err != nil {
			return err
		}
		list.Write(append(line, '\n'))
	}
	return j.folder.WriteFile(name, list.Bytes(), 0o644)
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
	for lines := bufio.NewScanner(f); ; n++ {
		if !lines.Scan() {
			return first, n, lines.Err()
		}
		var r publication.Refused
		if n >= most {
			continue
		}
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			return first, n, fmt.Errorf("%s, line %d: %w", name+RefusedExt, n+1, err)
		}
		first = append(first, r)
	}
}
