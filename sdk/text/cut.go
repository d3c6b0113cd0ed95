package text

// CutRunes returns the longest prefix of s that has at most max code points and ends between
// user-perceived characters, never inside a combining or joined sequence or between CR and LF. It
// is empty when the first such sequence is longer than max.
func CutRunes(s string, max int) string {
	cut, count, prev := 0, 0, rune(-1)
	for i, r := range s {
		if i > 0 && !attached(prev, r) {
			cut = i
		}
		if count >= max {
			return s[:cut]
		}
		count++
		prev = r
	}
	return s
}

// attached reports whether no cut may be made between prev and r.
func attached(prev, r rune) bool {
	const zeroWidthJoiner = 0x200D
	switch {
	case r == '\n':
		return prev == '\r'
	case prev == zeroWidthJoiner, r == zeroWidthJoiner:
		return true
	case r < 0x300:
		return false
	case r == 0xFF9E, r == 0xFF9F, r >= 0x1F3FB && r <= 0x1F3FF:
		return true
	}
	return joinsBackward(r, string(r))
}
