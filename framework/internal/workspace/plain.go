package workspace

import (
	"io/fs"
	"os"
	"strconv"
	"strings"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
)

// mostEntries bounds how far a folder is searched for Markdown files.
const mostEntries = 10_000

// countMarkdown counts the Markdown files of a folder; more says that it gave up.
func countMarkdown(dir string) (n int, more bool) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return 0, false
	}
	defer root.Close()
	left := mostEntries
	_ = fs.WalkDir(root.FS(), ".", func(name string, e fs.DirEntry, err error) error {
		switch left--; {
		case left < 0:
			more = true
			return fs.SkipAll
		case err != nil:
			return nil // what cannot be read is not counted
		case e.IsDir() && name != "." && corpus.LeftOut(e.Name()):
			return fs.SkipDir
		case e.Type().IsRegular() && corpus.IsMarkdown(name):
			n++
		}
		return nil
	})
	return n, more
}

// quote makes a path one word of a command line.
func quote(path string) string {
	if strings.ContainsAny(path, " '\"$") {
		return strconv.Quote(path)
	}
	return path
}
