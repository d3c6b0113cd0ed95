package dict

import (
	"bufio"
	"fmt"
	"io"
	"io/fs"
	"strconv"
	"strings"
)

// WordNetFiles are the files of a WordNet database that contain its words.
var WordNetFiles = []string{"data.noun", "data.verb", "data.adj", "data.adv"}

// WordNet reads the data files of a WordNet database (format wndb). Each set of synonyms with two words or more becomes
// an entry. skipped counts the words that cannot be written as a term. The error names the file and the line.
func WordNet(fsys fs.FS) (entries []Entry, skipped int, err error) {
	c := collector{seen: make(map[string]bool)}
	for _, name := range WordNetFiles {
		f, err := fsys.Open(name)
		if err != nil {
			return nil, 0, fmt.Errorf("wordnet: %w", err)
		}
		err = c.wordNet(name, f)
		if closeErr := f.Close(); err == nil {
			err = closeErr
		}
		if err != nil {
			return nil, 0, fmt.Errorf("wordnet: %w", err)
		}
	}
	return c.entries, c.skipped, nil
}

// maxSynset is the maximum length of a line in a data file.
const maxSynset = 1 << 20

func (c *collector) wordNet(name string, r io.Reader) error {
	in := bufio.NewScanner(r)
	in.Buffer(nil, maxSynset)
	for n := 1; in.Scan(); n++ {
		if strings.HasPrefix(in.Text(), "  ") || in.Text() == "" {
			continue // the licence
		}
		words, ok := synset(in.Text())
		if !ok {
			return fmt.Errorf("%s:%d: not a line of a WordNet data file", name, n)
		}
		var terms []string
		for _, w := range words {
			terms = c.term(terms, w)
		}
		if len(terms) > 1 {
			c.add(Entry{To: terms})
		}
	}
	if err := in.Err(); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// synset returns the words in "offset file type count word id word id …", where count is hexadecimal. An adjective may
// end in a marker such as (p).
func synset(line string) (words []string, ok bool) {
	fields := strings.Fields(line)
	if len(fields) < 4 {
		return nil, false
	}
	count, err := strconv.ParseUint(fields[3], 16, 8)
	if err != nil || count == 0 || len(fields) < 4+2*int(count) {
		return nil, false
	}
	for i := range int(count) {
		word, _, _ := strings.Cut(fields[4+2*i], "(")
		words = append(words, strings.ReplaceAll(word, "_", " "))
	}
	return words, true
}
