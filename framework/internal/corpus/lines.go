package corpus

import (
	"bytes"
	"fmt"
	"iter"
	"slices"
	"strings"
)

// Lines maps between the offsets and the lines of a text. A line ends with LF, CR LF or a lone CR, which belongs to it;
// the last one may have no end. An empty text has one empty line. Lines count from 1.
type Lines struct {
	starts []uint32
	size   int
}

// NewLines finds the lines of src.
func NewLines(src []byte) Lines {
	starts, at := make([]uint32, 1, 16+len(src)/40), 0
	for line := range eachLine(src) {
		if at += len(line); at < len(src) {
			starts = append(starts, uint32(at))
		}
	}
	return Lines{starts, len(src)}
}

// eachLine yields the lines of src with their ends.
func eachLine(src []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for rest := range bytes.Lines(src) {
			for len(rest) > 0 {
				n := bytes.IndexByte(rest, '\r') + 1
				if n == 0 || string(rest[n:]) == "\n" {
					n = len(rest)
				}
				if !yield(rest[:n]) {
					return
				}
				rest = rest[n:]
			}
		}
	}
}

// Count returns the number of lines, at least 1.
func (l Lines) Count() int { return len(l.starts) }

// Start returns the offset where a line starts, or the length of the text for the line after the last.
func (l Lines) Start(line int) int {
	if line > len(l.starts) {
		return l.size
	}
	return int(l.starts[line-1])
}

// Text returns a line of src without its end, and the first line without a byte order mark.
func (l Lines) Text(src []byte, line int) string {
	text := bytes.TrimRight(src[l.Start(line):l.Start(line+1)], "\r\n")
	if line == 1 {
		text = bytes.TrimPrefix(text, []byte(bom))
	}
	return string(text)
}

// At returns the line that contains the byte at offset. The end of the text belongs to the last line.
func (l Lines) At(offset int) int {
	i, exact := slices.BinarySearch(l.starts, uint32(offset))
	if exact {
		i++
	}
	return i
}

// Number returns the text between two offsets with line numbers before the lines that begin there.
func (l Lines) Number(src []byte, from, end int) string {
	var out strings.Builder
	for at := from; at < end; {
		line := l.At(at)
		if l.Start(line) == at {
			fmt.Fprintf(&out, "%d: ", line)
		}
		next := min(l.Start(line+1), end)
		out.Write(src[at:next])
		at = next
	}
	return out.String()
}
