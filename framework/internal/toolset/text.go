package toolset

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// Text takes a string; given is false if it is missing or null.
func (a *Arguments) Text(name string) (text string, given bool) {
	n, given := a.Take(name)
	if given && n.Kind != '"' {
		a.Wrong(name, n, "a string")
		return "", true
	}
	return n.Text, given
}

// Path takes a string that names a file; given is false if it is missing or null.
func (a *Arguments) Path(name string) (path string, given bool) {
	path, given = a.Text(name)
	if path != "" {
		a.paths = append(a.paths, name, Shorten(path))
	}
	return path, given
}

// Paths returns pairs of name and shortened text of the paths taken with [Arguments.Path], except those inside objects,
// for the log.
func (a *Arguments) Paths() []any { return a.paths }

// Shorten shortens a caller's text to the 200 code points that errors and logs repeat.
func Shorten(text string) string { return First(text, maxGotRunes) }

// First returns the first most code points of a text, followed by … if it is longer.
func First(text string, most int) string {
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return text
}

// filledText takes a string that may be missing but not blank.
func (a *Arguments) filledText(name string) string {
	text, given := a.Text(name)
	if given && strings.TrimSpace(text) == "" {
		a.Wrong(name, Value{Kind: '"', Text: text}, "a string that is not empty")
	}
	return text
}

// choice takes one of the given words, or "" if it is missing.
func (a *Arguments) choice(name string, of ...string) string {
	n, given := a.Take(name)
	if !given || n.Kind == '"' && slices.Contains(of, n.Text) {
		return n.Text
	}
	err := Invalid(a.prefix+name, n.Describe(), "one of "+strings.Join(of, ", "))
	if close := DidYouMean(n.Text, of, 3); len(close) > 0 {
		err = err.With("did_you_mean", close)
	}
	a.Fail(err)
	return ""
}

// Harmless returns a text in which characters that could mislead its reader are replaced: control characters except
// those in keep, and characters that reverse the order of text.
func Harmless(text, keep string) string {
	return strings.Map(func(r rune) rune {
		if (unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r)) && !strings.ContainsRune(keep, r) {
			return unicode.ReplacementChar
		}
		return r
	}, text)
}

// Counted returns a number with its noun: 1 lane, 2 lanes.
func Counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// Are returns the verb after a number and its noun: 1 file is, 2 files are.
func Are(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}
