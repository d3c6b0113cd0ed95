package manuals

import (
	"testing"

	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

func TestMemoryForgetsTheOldest(t *testing.T) {
	m, text := newMemory(), []byte("text")
	for line := range maxRemembered + 200 {
		m.keep(toolset.Ref{StartLine: line}, text, 1)
	}
	if _, again := m.resume(toolset.Ref{StartLine: 199}, text); again || len(m.read) != maxRemembered {
		t.Errorf("%d sections are remembered", len(m.read))
	}
	if end, again := m.resume(toolset.Ref{StartLine: 200}, text); !again || end != 1 {
		t.Error("the oldest that fits is forgotten")
	}
}

// A section that was finished and is read again is as new as its second reading.
func TestMemoryOfASectionReadAgain(t *testing.T) {
	m, text, again := newMemory(), []byte("text"), toolset.Ref{Path: "again"}
	m.keep(again, text, 1)
	m.keep(again, text, len(text))
	for line := range maxRemembered - 1 {
		m.keep(toolset.Ref{StartLine: line}, text, 1)
	}
	m.keep(again, text, 2)
	if end, known := m.resume(again, text); !known || end != 2 || len(m.read) != maxRemembered {
		t.Errorf("it is forgotten, or its progress is %d; %d sections", end, len(m.read))
	}
	m.keep(toolset.Ref{StartLine: maxRemembered}, text, 1)
	if _, known := m.resume(again, text); !known {
		t.Error("it is forgotten for its first reading")
	}
}
