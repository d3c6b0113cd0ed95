package cli

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// lined is a path with the line that find prints after it.
var lined = regexp.MustCompile(`^(.+\.(?i:md|json)):([0-9]+)$`)

// position takes apart where to read: a manual and a path, or both in one as
// find prints them, MANUAL/PATH:LINE. The path may end in a line either way.
func position(args []string) (map[string]any, error) {
	id, path, ok := strings.Cut(args[0], "/")
	switch {
	case len(args) == 2:
		id, path = args[0], args[1]
	case !ok:
		return nil, fmt.Errorf("%q is no position: give MANUAL/PATH:LINE as find prints it, or MANUAL PATH", args[0])
	}
	at := map[string]any{"manual_id": id, "path": path}
	if m := lined.FindStringSubmatch(path); m != nil {
		line, err := strconv.Atoi(m[2])
		if err != nil {
			return nil, fmt.Errorf("%q is no line", m[2])
		}
		at["path"], at["start_line"] = m[1], line
	}
	return at, nil
}
