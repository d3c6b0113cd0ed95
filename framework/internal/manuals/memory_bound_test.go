package manuals

import "testing"

func TestMemoryForgetsTheOldest(t *testing.T) {
	m, text := newMemory(), []byte("text")
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

// A section that was finished and is read again is as new as its second reading.
func TestMemoryOfASectionReadAgain(t *testing.T) {
	m, text, again := newMemory(), []byte("text"), place{path: "again"}
	m.keep(again, text, 1)
	m.keep(again, text, len(text))
	for line := range remembered - 1 {
		m.keep(place{line: line}, text, 1)
	}
	m.keep(again, text, 2)
	if end, known := m.resume(again, text); !known || end != 2 || len(m.order) != remembered {
		t.Errorf("it is forgotten, or its progress is %d; %d sections in order", end, len(m.order))
	}
	m.keep(place{line: remembered}, text, 1)
	if _, known := m.resume(again, text); !known {
		t.Error("it is forgotten for its first reading")
	}
}
