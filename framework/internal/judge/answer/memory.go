package answer

import (
	"cmp"
	"maps"

	"github.com/sagasu-search/sagasu/framework/internal/judge/section"
)

// Memory caches what was read of sections for the last query, so that the order of answers and the judgement read each
// section once. The zero value is ready to use. It is not safe for concurrent use.
type Memory struct {
	query    string
	words    map[string]float64
	sections map[place]readSection
}

// place is what the reading of a section depends on, besides the query.
type place struct {
	manual, path, heading, text string
	line                        int
}

// of returns the memory for the query of an input, without what was read for other queries. It returns a new one if m
// is nil.
func (m *Memory) of(in *Input) *Memory {
	m = cmp.Or(m, new(Memory))
	if m.sections == nil || m.query != in.Query.Raw || !maps.Equal(m.words, in.Words) {
		m.query, m.words, m.sections = in.Query.Raw, in.Words, make(map[place]readSection)
	}
	return m
}

// section returns the reading of a section. It calls read if the section was not read before.
func (m *Memory) section(e *section.Section, read func() readSection) readSection {
	at := place{e.ManualID, e.Path, e.Heading, e.Text, e.FirstLine()}
	s, known := m.sections[at]
	if !known {
		s = read()
		m.sections[at] = s
	}
	return s
}
