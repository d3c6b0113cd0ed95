package manual

import "testing"

func TestMemoryForgetsTheOldest(t *testing.T) {
	m, text := NewMemory(), []byte("text")
	for line := range remembered + 200 {
		m.keep(place{line: line}, text, 1)
	}
	if _, again := m.resume(place{line: 199}, text); again || len(m.read) != remembered || len(m.order) != remembered {
		t.Errorf("%d sections are remembered, in order %d", len(m.read), len(m.order))
	}
	if end, again := m.resume(place{line: 200}, text); !again || end != 1 {
		t.Error("the oldest that fits is forgotten")
	}
}
