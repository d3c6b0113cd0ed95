package cli

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// lined is a path with the line that find prints after it.
var lined = regexp.MustCompile(`^(.+\.(?i:md|json)):([0-9]+)$`)

// position takes apart where to read as [splitPosition] does, and names the parts.
func position(args []string) (map[string]any, error) {
	id, path, line, err := splitPosition(args)
	if err != nil {
		return nil, err
	}
	at := map[string]any{"manual_id": id, "path": path}
	if line != nil {
		at["start_line"] = *line
	}
	return at, nil
}

// splitPosition takes apart where to read: a manual and a path, or both in one as
// find prints them, MANUAL/PATH:LINE. The path may end in a line either way.
func splitPosition(args []string) (id, path string, line *int, err error) {
	id, path, ok := strings.Cut(args[0], "/")
	switch {
	case len(args) == 2:
		id, path = args[0], args[1]
	case !ok:
		return "", "", nil, fmt.Errorf("%q is no position: give MANUAL/PATH:LINE as find prints it, or MANUAL PATH", args[0])
	}
	if m := lined.FindStringSubmatch(path); m != nil {
		n, err := strconv.Atoi(m[2])
		if err != nil {
			return "", "", nil, fmt.Errorf("%q is no line", m[2])
		}
		path, line = m[1], &n
	}
	return id, path, line, nil
}
