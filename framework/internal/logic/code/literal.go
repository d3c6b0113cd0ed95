package code

import (
	"bytes"
	"strings"
)

// literal reads a string if one starts here.
func (s *scanner) literal() bool {
	start := s.at
	if end := s.while(s.at, asciiLetter); s.lang.prefixes[string(s.src[s.at:end])] {
		s.at = end
	}
	for _, f := range s.lang.strings {
		if s.has(f.open) {
			s.at += len(f.open)
			s.body(f, start)
			return true
		}
	}
	s.at = start
	return false
}

func asciiLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// body reads a string from the scanner's position to its end or to an interpolation. The token starts at start.
func (s *scanner) body(f form, start int) {
	for s.at < len(s.src) {
		c := s.src[s.at]
		switch {
		case c == '\\' && !f.raw:
			s.at += 2
			continue
		case f.doubled && s.has(f.close) && bytes.HasPrefix(s.src[s.at+len(f.close):], []byte(f.close)):
			s.at += 2 * len(f.close)
			continue
		case s.has(f.close):
			s.at += len(f.close)
			s.emit(text, start)
			return
		case f.escaped != "" && s.has(f.escaped):
			s.at += len(f.escaped)
			continue
		case f.hole != "" && s.has(f.hole):
			s.hole(frame{form: f}, start, strings.IndexByte(f.hole, '{')+1)
			return
		case c == '\n' && f.line:
			s.emit(text, start)
			return
		}
		s.at++
	}
	s.at = len(s.src)
	s.broken = true
	s.emit(text, start)
}

// hole emits the text before an interpolation and its opening sign, and remembers what continues after it.
func (s *scanner) hole(f frame, start, length int) {
	if s.at > start {
		s.emit(text, start)
	}
	start = s.at
	s.at += length
	s.emit(text, start)
	s.open = append(s.open, len(s.tokens)-1)
	f.depth = len(s.open)
	s.frames = append(s.frames, f)
}

func (s *scanner) hereDocument(end string) {
	start := s.at
	for s.at < len(s.src) {
		line := s.src[s.at:s.lineEnd(s.at)]
		cut := bytes.TrimLeft(line, " \t")
		if bytes.HasPrefix(cut, []byte(end)) &&
			(len(cut) == len(end) || !letter(rune(cut[len(end)])) && !digit(cut[len(end)])) {
			s.at += len(line) - len(cut) + len(end)
			s.emit(text, start)
			return
		}
		s.at = min(len(s.src), s.at+len(line)+1)
	}
	s.broken = true
	s.emit(text, start)
}
