package code

// beforeExpression are the words after which a value begins, so that a slash opens a regular expression and a less-than
// sign an element.
var beforeExpression = set("return typeof case in of delete void throw new else do instanceof yield await " +
	"default extends if unless while until when and or not then elsif")

// headed are the words whose brackets are followed by a statement.
var headed = set("if while for with")

// value reports whether the last token ends a value.
func (s *scanner) value() bool {
	last := len(s.tokens) - 1
	switch {
	case s.kind(last) == word:
		return !s.in(last, beforeExpression) || s.is(last-1, ".")
	case s.kind(last) != punct:
		return !s.opensHole(last)
	case s.is(last, ")"):
		open := s.match(last)
		return open == none || !s.in(open-1, headed) || s.is(open-2, ".")
	}
	return s.is(last, "]") || s.is(last, "}") || s.is(last, "++") || s.is(last, "--")
}

// maxRegexp is the maximum length of a regular expression in bytes.
const maxRegexp = 2 << 10

// slashRegexp reads a regular expression between slashes.
func slashRegexp(s *scanner) bool {
	if s.src[s.at] != '/' || s.value() && !s.commandArgument() && !(s.lang.commands && s.newline) {
		return false
	}
	end, limit, class := s.at+1, min(len(s.src), s.at+maxRegexp), false
	for ; end < limit && (class || s.src[end] != '/'); end++ {
		switch s.src[end] {
		case '\\':
			end++
		case '[':
			class = true
		case ']':
			class = false
		case '\n':
			if !s.lang.commands {
				return false
			}
		}
	}
	if end >= limit {
		return false
	}
	start := s.at
	s.at = s.while(end+1, asciiLetter)
	s.emit(text, start)
	return true
}

// commandArgument reports whether the sign here begins an argument of a call without brackets, as in Ruby: with a space
// before it and none after it.
func (s *scanner) commandArgument() bool {
	last := len(s.tokens) - 1
	return s.lang.commands && s.kind(last) == word && !s.oneOf(last, "end self nil true false") &&
		blank(s.peek(-1)) && !blank(s.peek(1)) && s.peek(1) != '='
}

func blank(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == 0 }
