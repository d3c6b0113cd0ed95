package cli

import (
	"fmt"
	"io"
	"os"
	"regexp"
	"strconv"
	"strings"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/rootfs"
)

// readArgument reads the file that an argument names, "-" for in, of at most most bytes.
func readArgument(in io.Reader, name string, most int64) ([]byte, error) {
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		in = f
	}
	raw, err := io.ReadAll(io.LimitReader(in, most+1))
	if err == nil && int64(len(raw)) > most {
		err = fmt.Errorf("%s is larger than %d bytes", name, most)
	}
	return raw, err
}

// lined is a path with the line that find prints after it.
var lined = regexp.MustCompile(`^(.+\.(?i:md|json)):([0-9]+)$`)

// position is where to read.
type position struct {
	manual corpus.ManualID
	path   rootfs.Path
	line   *int // nil where none was given
}

// positionOf takes apart where to read: a manual and a path, or both in one as
// find prints them, MANUAL/PATH:LINE. The path may end in a line either way.
func positionOf(args []string) (position, error) {
	id, path, ok := strings.Cut(args[0], "/")
	switch {
	case len(args) == 2:
		id, path = args[0], args[1]
	case !ok:
		return position{}, fmt.Errorf("%q is no position: give MANUAL/PATH:LINE as find prints it, or MANUAL PATH",
			args[0])
	}
	at := position{manual: corpus.ManualID(id), path: rootfs.Path(path)}
	if m := lined.FindStringSubmatch(path); m != nil {
		line, err := strconv.Atoi(m[2])
		if err != nil {
			return position{}, fmt.Errorf("%q is no line", m[2])
		}
		at.path, at.line = rootfs.Path(m[1]), &line
	}
	return at, nil
}
