package cli

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// lined is a path with the line that find prints after it.
var lined = regexp.MustCompile(`^(.+\.(?i:md|json)):([0-9]+)$`)

// position reads a place in a manual, below the argument prefix: a manual and a path, or both in
// one as find prints them, MANUAL/PATH:LINE. The path may end in a line either way.
func position(prefix string) wordReader {
	return func(line []string, into arguments) error {
		id, path, ok := strings.Cut(line[0], "/")
		switch {
		case len(line) == 2:
			id, path = line[0], line[1]
		case !ok:
			return fmt.Errorf("%q is no position: give MANUAL/PATH:LINE as find prints it, or MANUAL PATH", line[0])
		}
		if m := lined.FindStringSubmatch(path); m != nil {
			n, err := strconv.Atoi(m[2])
			if err != nil {
				return fmt.Errorf("%q is no line", m[2])
			}
			path = m[1]
			into.set(prefix+"start_line", n)
		}
		into.set(prefix+"manual_id", id)
		into.set(prefix+"path", path)
		return nil
	}
}
