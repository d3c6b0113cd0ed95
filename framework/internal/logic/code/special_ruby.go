package code

import (
	"cmp"
	"strings"
)

// rubyEnd reads what follows __END__, which is not code.
func rubyEnd(s *scanner) bool {
	if !s.has("__END__") || s.at > 0 && s.src[s.at-1] != '\n' || s.lineEnd(s.at) != s.at+len("__END__") {
		return false
	}
	s.comments = append(s.comments, Span{s.at, len(s.src)})
	s.at = len(s.src)
	return true
}

// rubySymbol reads :name and :+.
func rubySymbol(s *scanner) bool {
	if s.src[s.at] != ':' || s.peek(1) == ':' || s.peek(-1) == ':' {
		return false
	}
	start := s.at
	switch c := s.peek(1); {
	case letter(rune(c)) || c >= 0x80 || c == '@' || c == '$':
		s.at = s.while(s.at+2, func(c byte) bool { return alphanumeric(c) || c >= 0x80 })
		if c := s.peek(0); (c == '?' || c == '!' || c == '=') && s.peek(1) != '>' && s.peek(1) != '=' &&
			s.peek(1) != '~' {
			s.at++
		}
	case strings.IndexByte("+-*/<=>[!~%&|^", c) >= 0 && !s.value():
		s.at = s.while(s.at+2, func(c byte) bool { return strings.IndexByte("=]<>~*+@-", c) >= 0 })
	default:
		return false
	}
	s.emit(text, start)
	return true
}

// rubyHeredoc reads the start of a here-document.
func rubyHeredoc(s *scanner) bool {
	if !s.has("<<") {
		return false
	}
	n := 2
	if c := s.peek(n); c == '~' || c == '-' {
		n++
	} else if s.value() && !s.commandArgument() {
		return false
	}
	return s.announce(s.at+n, func(c byte) bool { return 'A' <= c && c <= 'Z' || c == '_' || n > 2 && letter(rune(c)) })
}

// announce reads the terminator of a here-document at a position, quoted or not.
func (s *scanner) announce(at int, begins func(byte) bool) bool {
	quote := byte(0)
	if at < len(s.src) && strings.IndexByte("\"'`", s.src[at]) >= 0 {
		quote = s.src[at]
		at++
	}
	end := s.while(at, func(c byte) bool { return alphanumeric(c) || quote != 0 && c != quote && c != '\n' })
	if end == at || quote == 0 && !begins(s.src[at]) || quote != 0 && (end == len(s.src) || s.src[end] != quote) {
		return false
	}
	s.heredocs = append(s.heredocs, string(s.src[at:end]))
	start := s.at
	s.at = end
	if quote != 0 {
		s.at++
	}
	s.emit(text, start)
	return true
}

// rubyPercent reads %w[…], %i(…), %q{…}, %Q|…|, %r{…} and %(…).
func rubyPercent(s *scanner) bool {
	if s.src[s.at] != '%' {
		return false
	}
	n := 1
	if strings.IndexByte("wWiIqQrsx", s.peek(1)) >= 0 {
		n = 2
	}
	open := s.peek(n)
	if open >= 0x80 || letter(rune(open)) || digit(open) || blank(open) || open == '=' || open == '.' ||
		n == 1 && closer(open) == 0 && open != '|' || s.value() && !s.commandArgument() {
		return false
	}
	start := s.at
	s.at += n + 1
	s.percentBody(open)
	s.emit(text, start)
	return true
}

func (s *scanner) percentBody(open byte) {
	end := cmp.Or(closer(open), open)
	for depth := 1; s.at < len(s.src); s.at++ {
		switch c := s.src[s.at]; {
		case c == '\\':
			s.at++
		case c == end:
			if depth--; depth == 0 {
				s.at++
				return
			}
		case c == open:
			depth++
		}
	}
	s.at = len(s.src)
}

// rubyCharacter reads ?a and the globals with a sign as their name.
func rubyCharacter(s *scanner) bool {
	start := s.at
	switch c := s.src[s.at]; {
	case c == '$' && strings.IndexByte("\"'`/~!@&+,;.<>_*$?:\\=0123456789-", s.peek(1)) >= 0:
		s.at += 2
		s.emit(word, start)
		return true
	case c == '?' && !s.value() && !blank(s.peek(1)) && !letter(rune(s.peek(2))) && !digit(s.peek(2)):
		s.at += 2
		if s.src[s.at-1] == '\\' {
			s.at++
		}
	default:
		return false
	}
	s.at = min(s.at, len(s.src))
	s.emit(text, start)
	return true
}
