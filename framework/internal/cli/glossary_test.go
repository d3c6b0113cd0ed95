package cli

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	markdownLink = regexp.MustCompile(`\]\(([^)#\s]+)(?:#[^)\s]*)?\)`)
	picture      = regexp.MustCompile(`src(?:set)?="([^"]+)"`)
)

// The glossary is in alphabetical order and links each word to where it lives.
func TestGlossaryNamesAPlaceForEachWord(t *testing.T) {
	var found []string
	for line := range strings.Lines(fileText(t, filepath.Join(repository(t), "docs", "glossary.md"))) {
		cells := strings.Split(line, " | ")
		if len(cells) != 3 || strings.HasPrefix(line, "| word") {
			continue
		}
		word := strings.TrimPrefix(cells[0], "| ")
		if !markdownLink.MatchString(cells[2]) {
			t.Errorf("%s has no link", word)
		}
		found = append(found, word)
	}
	if len(found) < 30 || !slices.IsSorted(found) {
		t.Errorf("%d words, in alphabetical order: %t", len(found), slices.IsSorted(found))
	}
}

// namedFile matches a file that a page names by its path.
var namedFile = regexp.MustCompile("`([a-z]+/[a-z_/]+\\.[a-z]+)`")

// The files that CONTRIBUTING.md names are there; most paths begin below framework/internal.
func TestContributingNamesFiles(t *testing.T) {
	root := repository(t)
	named := namedFile.FindAllStringSubmatch(fileText(t, filepath.Join(root, "CONTRIBUTING.md")), -1)
	for _, m := range named {
		_, whole := os.Stat(filepath.Join(root, m[1]))
		if _, below := os.Stat(filepath.Join(root, "framework", "internal", m[1])); whole != nil && below != nil {
			t.Errorf("CONTRIBUTING.md names %s: %v", m[1], below)
		}
	}
	if len(named) < 15 {
		t.Errorf("only %d files were found", len(named))
	}
}

// Links between the documents, and from them to files of the repository, lead somewhere.
func TestLinksOfDocumentsLeadToFiles(t *testing.T) {
	root := repository(t)
	pages, err := filepath.Glob(filepath.Join(root, "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	err = filepath.WalkDir(filepath.Join(root, "docs"), func(path string, _ fs.DirEntry, err error) error {
		if filepath.Ext(path) == ".md" {
			pages = append(pages, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	links := 0
	for _, page := range pages {
		text := fence.ReplaceAllString(fileText(t, page), "")
		all := append(markdownLink.FindAllStringSubmatch(text, -1), picture.FindAllStringSubmatch(text, -1)...)
		for _, m := range all {
			if strings.Contains(m[1], "://") || strings.HasPrefix(m[1], "mailto:") {
				continue
			}
			if _, err := os.Stat(filepath.Join(filepath.Dir(page), filepath.FromSlash(m[1]))); err != nil {
				t.Errorf("%s links to %s: %v", filepath.Base(page), m[1], err)
			}
			links++
		}
	}
	if links < 50 {
		t.Errorf("only %d links were found", links)
	}
}
