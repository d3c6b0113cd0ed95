package dict

import (
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// Names of the files in a folder of dictionaries.
const (
	SynonymsFile   = "synonyms.txt"
	ExceptionsFile = "exceptions.txt"
	// SynonymsSuffix is the suffix of the names of other synonym files, such as imported ones.
	SynonymsSuffix = ".syn.txt"
)

// Folder is the content of a folder of dictionaries.
type Folder struct {
	Synonyms   []Entry
	Exceptions Vocabulary
	// Bilingual are the names of the translation files, see [OpenBilingual].
	Bilingual []string
	Files     []File
}

// File is one file that was read.
type File struct {
	Name    string `json:"name"`
	Entries int    `json:"entries"`
}

// Load reads the dictionaries in a folder. A missing folder is empty. The files synonyms.txt and *.syn.txt are
// synonyms, and exceptions.txt is a vocabulary. The files *.bi.txt are translations: only their names are
// returned. Other files are ignored. Mistakes are [Errors] with names that start with dir.
func Load(fsys fs.FS, dir string) (*Folder, error) {
	entries, err := fs.ReadDir(fsys, dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("list dictionaries: %w", err)
	}
	folder := &Folder{}
	var errs Errors
	for _, e := range entries {
		name := path.Join(dir, e.Name())
		switch {
		case !isDictionary(e.Name()):
		case !e.Type().IsRegular(): // opening a pipe would wait for its writer
			errs.add(name, 0, "it is no regular file; links are not followed")
		case strings.HasSuffix(name, BilingualSuffix):
			folder.Bilingual = append(folder.Bilingual, name)
		default:
			errs = append(errs, folder.read(fsys, name)...)
		}
	}
	if n := len(folder.Synonyms) + len(folder.Exceptions); n > MaxEntries {
		errs.add(dir, 0, "the dictionaries have %d entries together, at most %d are read", n, MaxEntries)
	}
	return folder, errs.err()
}

func isDictionary(name string) bool {
	return name == ExceptionsFile || name == SynonymsFile || strings.HasSuffix(name, SynonymsSuffix) ||
		strings.HasSuffix(name, BilingualSuffix)
}

// read adds one file.
func (f *Folder) read(fsys fs.FS, name string) Errors {
	src, err := readFile(fsys, name)
	if err != nil {
		return Errors{{File: name, Reason: "cannot be read: " + err.Error()}}
	}
	n := 0
	if path.Base(name) == ExceptionsFile {
		f.Exceptions, err = ParseWords(name, src)
		n = len(f.Exceptions)
	} else {
		var entries []Entry
		entries, err = ParseSynonyms(name, src)
		n = len(entries)
		f.Synonyms = slices.Concat(f.Synonyms, entries)
	}
	f.Files = append(f.Files, File{name, n})
	mistakes, _ := errors.AsType[Errors](err)
	return mistakes
}

// readFile reads at most one byte more than a dictionary may have.
func readFile(fsys fs.FS, name string) ([]byte, error) {
	f, err := fsys.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, MaxBytes+1))
}

//go:embed data
var bundled embed.FS

// Synonyms returns the bundled list: common words of Japanese and English manuals.
func Synonyms() []Entry { return parsed("synonyms.txt", ParseSynonyms) }

// Exceptions returns the bundled list of words that revoke or limit what a text grants, and of
// words that warn.
func Exceptions() Vocabulary { return parsed("exceptions.txt", ParseWords) }

// All returns the bundled list of words with which a query asks for everything of a kind.
func All() Vocabulary { return parsed("all.txt", ParseWords) }

// NotAll returns the bundled list of phrases in which a word of All asks for nothing.
func NotAll() Vocabulary { return parsed("not-all.txt", ParseWords) }

// Backend returns the bundled list of terms in specifications and programs. It leads from Japanese prose to English
// identifiers.
func Backend() []Entry { return parsed("backend.txt", ParseSynonyms) }

// Related returns the bundled list of words that people use to ask about business software. The
// terms of an entry need not mean the same: they help to find texts, but do not show that two texts
// are about the same thing.
func Related() []Entry { return parsed("related.txt", ParseSynonyms) }

// Subjects returns the bundled list of subjects of requirements and programs in many trades. Each
// term has one meaning, so two texts with terms of one entry are about the same thing. An entry
// that starts like one of Backend extends that entry.
func Subjects() []Entry { return parsed("subjects.txt", ParseSynonyms) }

// parsed reads a bundled list. It panics on a mistake, which a test would have found.
func parsed[List any](file string, parse func(file string, src []byte) (List, error)) List {
	src, err := bundled.ReadFile("data/" + file)
	if err != nil {
		panic("dict: " + err.Error())
	}
	list, err := parse(file, src)
	if err != nil {
		panic("dict: " + err.Error())
	}
	return list
}
