package repo

import (
	_ "embed"
	"path"
	"strings"
	"sync"

	"github.com/bmatcuk/doublestar/v4"
)

// Reasons why a path is left out; leftout.txt has the others.
const (
	Ignored  = "ignored by git"
	Archived = "archived change"
	Test     = "test"
	Binary   = "binary"
	Hidden   = "hidden"
	Link     = "symbolic link"
)

// Each line of leftOuts lists names of folders or patterns of file names that are left out of code. Its fields are
// separated by tabs: folder or file, the reason, the names.
//
//go:embed leftout.txt
var leftOuts string

// leftOutBy returns the names or patterns of folders or files with their reasons, in order.
func leftOutBy(kind string) func() [][2]string {
	return sync.OnceValue(func() (all [][2]string) {
		for line := range strings.Lines(leftOuts) {
			if f := strings.Split(strings.TrimSpace(line), "\t"); f[0] == kind {
				for name := range strings.FieldsSeq(f[2]) {
					all = append(all, [2]string{name, f[1]})
				}
			}
		}
		return all
	})
}

var folders, patterns = leftOutBy("folder"), leftOutBy("file")

// folder returns why a folder in the scope of code is left out, or "" if it is not.
func folder(dir string) string {
	name := path.Base(dir)
	if strings.HasPrefix(name, ".") {
		return Hidden
	}
	for _, f := range folders() {
		if f[0] == name {
			return f[1]
		}
	}
	if strings.HasSuffix(name, "Tests") && strings.Contains(name, ".") { // Shop.Api.Tests
		return Test
	}
	return ""
}

// archived reports whether a folder holds finished changes.
func archived(dir string) bool {
	return path.Base(dir) == "archive" && path.Base(path.Dir(dir)) == "changes"
}

// leftOut returns why a file of a kind is left out by its path, or "" if it is not.
func leftOut(name string, kind Kind) string {
	base := path.Base(name)
	if strings.HasPrefix(base, ".") {
		return Hidden
	}
	for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
		if archived(dir) {
			return Archived
		}
		if reason := folder(dir); kind == Code && reason != "" {
			return reason
		}
	}
	for _, p := range patterns() {
		if (kind == Code || p[1] == Binary) && doublestar.MatchUnvalidated(p[0], base) {
			return p[1]
		}
	}
	return ""
}
