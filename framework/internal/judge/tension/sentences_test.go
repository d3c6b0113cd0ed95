package tension

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// Mark is a contradiction in a case: two sections, by index and ascending, and which of their sentences contradict each
// other on what the query asks. Of several sentences of a section each does.
type Mark struct {
	Sections  [2]int
	Sentences [2][]string
}

// ReadMarks reads the marks of cases, by id. Tabs separate the fields of a line: the id, the two sections, each with its
// sentence, and any other sentences that serve as well, after A: for those of the first section and B: for those of the
// second.
func ReadMarks(in io.Reader) (map[string][]Mark, error) {
	out := make(map[string][]Mark)
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		field := strings.Split(lines.Text(), "\t")
		if len(field) < 5 {
			return nil, fmt.Errorf("mark %q: %d fields, want 5", lines.Text(), len(field))
		}
		var m Mark
		for k := range m.Sections {
			var err error
			if m.Sections[k], err = strconv.Atoi(field[1+2*k]); err != nil {
				return nil, fmt.Errorf("mark %q: %w", lines.Text(), err)
			}
			m.Sentences[k] = append(m.Sentences[k], field[2+2*k])
		}
		for _, other := range field[5:] {
			of, sentence, _ := strings.Cut(other, ":")
			k := strings.Index("AB", of)
			if k < 0 {
				return nil, fmt.Errorf("mark %q: %q is of neither section", lines.Text(), other)
			}
			m.Sentences[k] = append(m.Sentences[k], sentence)
		}
		if s := m.Sections; s[0] > s[1] {
			m.Sections, m.Sentences = [2]int{s[1], s[0]}, [2][]string{m.Sentences[1], m.Sentences[0]}
		}
		out[field[0]] = append(out[field[0]], m)
	}
	return out, lines.Err()
}

// Has reports whether the sides are the sentences of the mark. A side may lack the mark of a list item, or have the lines
// of a sentence joined.
func (m *Mark) Has(a, b Side) bool {
	return m.has(0, a) && m.has(1, b)
}

func (m *Mark) has(k int, s Side) bool {
	said := bare(s.Text)
	for _, sentence := range m.Sentences[k] {
		want := bare(sentence)
		if s.Evidence == m.Sections[k] && (strings.Contains(said, want) || strings.Contains(want, said) && 2*len(said) > len(want)) {
			return true
		}
	}
	return false
}

// bare returns the text without white space and marks.
func bare(s string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(" \t\n　-*+・●○■※|_。.、,", r) {
			return -1
		}
		return r
	}, s)
}
