package section

import "cmp"

// Section is a section as a judgement reads it.
type Section struct {
	ID        uint32 // in the snapshot; judges quote by it
	ManualID  string
	Path      string
	StartLine int // of the section, from 1; in a JSON file, of the best match
	TextLine  int // of the first line of Text; 0 means StartLine
	// Heading is the heading path, its titles joined by " > ".
	Heading string
	// Text is the section's own text as written, without its heading.
	Text string
	// Signals are the strategies' reasons for finding the section.
	Signals []string
	// Score is the fused score: finite, at least 0, on any scale.
	Score float64
}

// FirstLine returns the line of the file on which Text begins.
func (s *Section) FirstLine() int { return cmp.Or(s.TextLine, s.StartLine) }
