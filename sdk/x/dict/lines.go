package dict

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxLine is the maximum number of bytes of one line.
const maxLine = 16 << 10

// lines yields the non-empty lines of a file, with their numbers, and records an error for lines
// that are not text.
func lines(file string, src []byte, errs *Errors) iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		if len(src) > MaxBytes {
			errs.add(file, 0, "a dictionary has at most %d bytes, this one %d", MaxBytes, len(src))
			return
		}
		n := 0
		for raw := range bytes.Lines(bytes.TrimPrefix(src, []byte("\uFEFF"))) {
			n++
			raw = bytes.TrimRight(raw, "\r\n")
			if reason := unreadable(raw); reason != "" {
				errs.add(file, n, "%s", reason)
				continue
			}
			if line := content(string(raw)); line != "" && !yield(n, line) {
				return
			}
		}
	}
}

// unreadable returns why a line is not text, or "".
func unreadable(raw []byte) string {
	switch {
	case len(raw) > maxLine:
		return "the line is too long"
	case !utf8.Valid(raw):
		return "the line is not UTF-8"
	case bytes.ContainsFunc(raw, func(r rune) bool { return unicode.IsControl(r) && r != '\t' }):
		return "the line holds a control character"
	}
	return ""
}

// content returns a line without its comment. A comment starts with a # at the start of the line or after white space,
// so that c# is a word.
func content(line string) string {
	for i, r := range line {
		if r == '#' && (i == 0 || strings.ContainsRune(" \t\u3000", lastRune(line[:i]))) {
			line = line[:i]
			break
		}
	}
	return strings.TrimSpace(line)
}

func lastRune(s string) rune {
	r, _ := utf8.DecodeLastRuneInString(s)
	return r
}

// WriteSynonyms writes entries as a file for [ParseSynonyms], after a comment.
func WriteSynonyms(w io.Writer, comment string, entries []Entry) error {
	out := bufio.NewWriter(w)
	for line := range strings.Lines(comment) {
		fmt.Fprintln(out, "#", strings.TrimSpace(line))
	}
	for _, e := range entries {
		fmt.Fprintln(out, e)
	}
	return out.Flush()
}
