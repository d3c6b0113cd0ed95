package vault

import (
	"sync"
	"unicode/utf8"

	"github.com/sagasu-search/sagasu/framework/adapt"
)

// remembered is how many files a session's memory holds; the oldest go first.
const remembered = 1000

// Memory knows what a client session has scanned and cited, which tells what
// scanning on is worth. Safe for concurrent use; a nil Memory knows nothing.
type Memory struct {
	mu    sync.Mutex
	files map[string]*effort
	order []string // oldest first
}

// effort is what was scanned of a file since lines of it were last cited.
type effort struct {
	cited  []Range
	tokens int
	gained bool // lines were cited newly at least once
	low    int  // chunks in a row that brought too little
	judged bool // what was scanned so far is judged
}

// NewMemory returns an empty memory.
func NewMemory() *Memory { return &Memory{files: map[string]*effort{}} }

// Gain is what scanning has brought.
type Gain struct {
	Value  *float64 // newly cited lines per token; nil until lines were cited newly
	Lines  int      // cited newly
	Tokens int      // scanned since lines were last cited
	Low    int      // chunks in a row below the minimum
}

// cite notes which lines of a file are cited now and gives what the chunks since
// the last citation have brought.
func (m *Memory) cite(path string, merged []Range, minimum float64) Gain {
	if m == nil {
		return Gain{}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	e := m.files[path]
	if e == nil {
		m.file(path).cited = merged
		return Gain{}
	}
	lines := added(e.cited, merged)
	e.gained = e.gained || lines > 0 && e.tokens > 0
	if !e.gained || e.tokens == 0 {
		e.cited = Merge(append(e.cited, merged...))
		return Gain{Low: e.low}
	}
	value := adapt.Gain(lines, e.tokens)
	g := Gain{Value: &value, Lines: lines, Tokens: e.tokens}
	switch {
	case value >= minimum:
		e.low = 0
	case !e.judged:
		e.low++
	}
	g.Low, e.judged = e.low, true
	if lines > 0 {
		e.cited, e.tokens = Merge(append(e.cited, merged...)), 0
	}
	return g
}

// added counts the lines of merged ranges that others do not hold.
func added(others, merged []Range) int {
	return lines(Merge(append(append([]Range{}, others...), merged...))) - lines(Merge(others))
}

// scanned notes that a chunk of a file was read.
func (m *Memory) scanned(path, text string) {
	if m == nil || text == "" {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	e := m.file(path)
	e.tokens += adapt.EstTokens(0, utf8.RuneCountInString(text))
	e.judged = false
}

// file is what is known of a file. The caller holds the lock.
func (m *Memory) file(path string) *effort {
	if e := m.files[path]; e != nil {
		return e
	}
	e := &effort{}
	m.files[path], m.order = e, append(m.order, path)
	if len(m.order) > remembered {
		delete(m.files, m.order[0])
		m.order = m.order[1:]
	}
	return e
}
