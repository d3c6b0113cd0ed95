package manuals

import (
	"testing"

	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

func TestMemoryForgetsTheOldest(t *testing.T) {
	m, text := newMemory(), []byte("text")
	for line := range maxRemembered + 200 {
		m.again(toolset.Ref{StartLine: line}, text)
	}
	if len(m.read) != maxRemembered || !m.again(toolset.Ref{StartLine: 200}, text) {
		t.Errorf("the oldest of %d that fits is forgotten", len(m.read))
	}
	if m.again(toolset.Ref{StartLine: 199}, text) {
		t.Error("more sections are remembered than may be")
	}
}

// A section of a file that was edited is as new as its second reading.
func TestMemoryOfASectionThatChanged(t *testing.T) {
	m, section := newMemory(), toolset.Ref{Path: "again"}
	m.again(section, []byte("text"))
	for line := range maxRemembered - 1 {
		m.again(toolset.Ref{StartLine: line}, []byte("text"))
	}
	if m.again(section, []byte("other")) || len(m.read) != maxRemembered {
		t.Errorf("the edit is not noticed; %d sections", len(m.read))
	}
	m.again(toolset.Ref{StartLine: maxRemembered}, []byte("text"))
	if !m.again(section, []byte("other")) {
		t.Error("it is forgotten for its first reading")
	}
}
