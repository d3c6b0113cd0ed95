package eval

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/sagasu-search/sagasu/sdk/text"
)

// listedFiles is how many files a grep agent lets be listed.
const listedFiles = 20

// GrepCorpus holds the files of manuals as grep sees them.
type GrepCorpus struct{ files []grepFile }

type grepFile struct {
	Target
	text  string
	lines []string // folded, so that case and width do not matter
}

// Add adds a file.
func (s *GrepCorpus) Add(manual, path, content string) {
	f := grepFile{Target: Target{ManualID: manual, Path: path}, text: content}
	for line := range strings.Lines(content) {
		f.lines = append(f.lines, text.Fold(line))
	}
	s.files = append(s.files, f)
}

// Order says which files a grep agent reads first.
type Order func(a, b Hit) int

// MostLines puts the files first of which most lines hold a word, as counting
// grep's output does.
func MostLines(a, b Hit) int { return b.Lines - a.Lines }

// MostWords puts the files first that hold most of the words, as grep for one
// word after the other does, and among equals those of most lines.
func MostWords(a, b Hit) int { return cmp.Or(b.Words-a.Words, MostLines(a, b)) }

// Grepper is an agent without a search engine: it lists the files that hold a
// content word of the query, and reads the whole files, the first one first.
// words returns a query's content words, folded; with scope it stays within the
// manual that a query names.
func (s *GrepCorpus) Grepper(name string, words func(query string) []string, first Order, scope bool) Agent {
	return Agent{Name: name, Solve: func(ctx context.Context, q *Query, e *AgentRun) error {
		within := ""
		if scope {
			within = q.ManualID
		}
		pattern := words(q.Query)
		found := s.grep(pattern, within)
		slices.SortStableFunc(found, first)
		var list strings.Builder
		for _, h := range found[:min(listedFiles, len(found))] {
			fmt.Fprintf(&list, "%s:%d\n", h.file.file(), h.Lines)
		}
		e.note("grep", strings.Join(pattern, "|"), list.String())
		for _, h := range found {
			if e.over() {
				break
			}
			e.note("read", h.file.file(), h.file.text)
			e.Solved = slices.ContainsFunc(q.Relevant, func(t Target) bool { return t.file() == h.file.file() })
		}
		return ctx.Err()
	}}
}

// Hit is a file that holds a word.
type Hit struct {
	file  *grepFile
	Lines int // that hold a word
	Words int // that it holds
}

// grep finds the files that hold a word.
func (s *GrepCorpus) grep(words []string, manual string) []Hit {
	var hits []Hit
	for i := range s.files {
		h := Hit{file: &s.files[i]}
		if manual != "" && h.file.ManualID != manual {
			continue
		}
		h.count(words)
		if h.Lines > 0 {
			hits = append(hits, h)
		}
	}
	return hits
}

func (h *Hit) count(words []string) {
	held := make([]bool, len(words))
	for _, line := range h.file.lines {
		holds := false
		for i, w := range words {
			if strings.Contains(line, w) {
				holds = true
				if !held[i] {
					held[i] = true
					h.Words++
				}
			}
		}
		if holds {
			h.Lines++
		}
	}
}
