package code

import (
	"bytes"
	"unicode/utf8"
)

// rawQuotes reads a raw string of C#: three quotes or more, closed by the same number.
func rawQuotes(s *scanner) bool {
	at := s.while(s.at, func(c byte) bool { return c == '$' })
	end := s.while(at, func(c byte) bool { return c == '"' })
	if end-at < 3 {
		return false
	}
	s.through(end, s.src[at:end])
	return true
}

// through makes a string of the text up to and including the first end at or after from.
func (s *scanner) through(from int, end []byte) {
	start := s.at
	if n := bytes.Index(s.src[from:], end); n >= 0 {
		s.at = from + n + len(end)
	} else {
		s.at, s.broken = len(s.src), true
	}
	s.emit(text, start)
}

// rustRaw reads r"…", r#"…"# and the same with br or cr.
func rustRaw(s *scanner) bool {
	at := s.at
	if c := s.src[at]; c == 'b' || c == 'c' {
		at++
	}
	if at >= len(s.src) || s.src[at] != 'r' {
		return false
	}
	hashes := at + 1
	at = s.while(hashes, func(c byte) bool { return c == '#' })
	if at >= len(s.src) || s.src[at] != '"' {
		return false
	}
	s.through(at+1, append([]byte{'"'}, s.src[hashes:at]...))
	return true
}

// rustQuote reads a character as a string, or a lifetime as a word.
func rustQuote(s *scanner) bool {
	at := s.at
	if s.src[at] == 'b' {
		at++
	}
	if at >= len(s.src) || s.src[at] != '\'' {
		return false
	}
	start := s.at
	_, size := utf8.DecodeRune(s.src[at+1:])
	end := s.while(at+1, alphanumeric)
	if char := at + 1 + size; end > at+1 && (char >= len(s.src) || s.src[char] != '\'') {
		s.at = end
		s.emit(word, start)
		return true
	}
	s.at = at + 1
	s.body(form{close: "'", line: true}, start)
	return true
}

// phpEnd reads the markup after ?>.
func phpEnd(s *scanner) bool {
	if !s.has("?>") {
		return false
	}
	s.outside()
	return true
}

// outside reads markup up to the start of code.
func (s *scanner) outside() {
	start := s.at
	n := bytes.Index(s.src[s.at:], []byte("<?"))
	if n < 0 {
		s.at = len(s.src)
	} else if s.at += n + 2; s.has("php") || s.has("PHP") {
		s.at += len("php")
	}
	if s.at > start {
		s.emit(text, start)
	}
}

// phpHeredoc reads the start of a here-document or a nowdoc.
func phpHeredoc(s *scanner) bool {
	if !s.has("<<<") {
		return false
	}
	at := s.while(s.at+3, func(c byte) bool { return blank(c) && c != '\n' })
	return s.announce(at, func(c byte) bool { return letter(rune(c)) })
}

// sqlDollar reads the quotes $$ and $tag$ as brackets, so that the code between them is read as code.
func sqlDollar(s *scanner) bool {
	if s.src[s.at] != '$' {
		return false
	}
	end := s.while(s.at+1, func(c byte) bool { return c != '$' && alphanumeric(c) })
	if end >= len(s.src) || s.src[end] != '$' || digit(s.src[s.at+1]) {
		return false
	}
	start := s.at
	s.at = end + 1
	s.emit(punct, start)
	return true
}

// sqlDelimiter skips the DELIMITER lines of MySQL's client.
func sqlDelimiter(s *scanner) bool {
	const command = "delimiter "
	if !s.newline || !bytes.EqualFold(s.src[s.at:min(len(s.src), s.at+len(command))], []byte(command)) {
		return false
	}
	s.at = s.lineEnd(s.at)
	return true
}
