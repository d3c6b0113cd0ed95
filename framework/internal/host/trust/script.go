package trust

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// maxInterpreterLine is how much of a script's first line Linux looks at, in bytes.
const maxInterpreterLine = 256

// AddInterpreters grants a script to read and execute what its first line names.
func (p *Plugin) AddInterpreters() error {
	needed, err := interpreters(p.Path)
	if err == nil {
		p.Reads = union(p.Reads, needed)
	}
	return err
}

// interpreters returns the files that a script cannot be executed without: what its first
// line names, and what /usr/bin/env would find. None for a binary.
func interpreters(path string) ([]string, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	line, _ := bufio.NewReaderSize(f, maxInterpreterLine).ReadSlice('\n') // a longer one is cut, as by the system
	rest, script := strings.CutPrefix(string(line), "#!")
	words := strings.Fields(rest)
	if !script || len(words) == 0 {
		return nil, nil
	}
	programs := words[:1]
	program := slices.IndexFunc(words[1:], func(w string) bool { return w[0] != '-' && !strings.Contains(w, "=") })
	if filepath.Base(words[0]) == "env" && program >= 0 {
		found, err := exec.LookPath(words[1:][program])
		if err != nil {
			return nil, fmt.Errorf("%s: the interpreter of its first line: %w", path, err)
		}
		programs = append(programs, found)
	}
	var out []string
	for _, p := range programs {
		real, err := filepath.EvalSymlinks(p)
		if err != nil {
			return nil, fmt.Errorf("%s: the interpreter of its first line: %w", path, err)
		}
		out = append(out, p, real)
	}
	return out, nil
}
