package corpus

import (
	"bytes"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"

	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// cutJSON returns a JSON file, valid or not, as one node.
func cutJSON(name string, src []byte) []Section {
	last, title := NewLines(src).Count(), fileStem(name)
	body := readable(bytes.TrimPrefix(src, []byte(bom)))
	return []Section{{
		Section: snapshot.Section{
			Title: title, Node: snapshot.NodeJSON, Start: 1, End: last, OwnEnd: last, Body: 1, Parent: snapshot.None,
		},
		HeadingPath: title,
		Names:       newFileNames(name, title).of(0),
		Text:        body,
		Altered:     len(body) != len(src), // escapes are longer than their characters
	}}
}

// readable returns JSON text with the \u escapes of printable non-ASCII characters resolved, as JavaScript's
// JSON.stringify would write it: 返金 finds a file with \u8fd4\u91d1. Lines and validity do not change.
func readable(src []byte) string {
	var out strings.Builder
	out.Grow(len(src))
	for {
		at := bytes.IndexByte(src, '\\')
		if at < 0 || at+1 == len(src) {
			out.Write(src)
			return out.String()
		}
		out.Write(src[:at])
		src = src[at:]
		if r, n := escape(src); n > 0 {
			out.WriteRune(r)
			src = src[n:]
		} else {
			out.Write(src[:2]) // also prevents that \\ escapes what follows
			src = src[2:]
		}
	}
}

// escape decodes the \u escape, or the surrogate pair of escapes, at the start of src, if the character can be written
// unescaped.
func escape(src []byte) (r rune, length int) {
	unit, ok := codeUnit(src)
	if !ok {
		return 0, 0
	}
	r, length = unit, 6
	if utf16.IsSurrogate(unit) {
		low, ok := codeUnit(src[6:])
		if r = utf16.DecodeRune(unit, low); !ok || r == unicode.ReplacementChar {
			return 0, 0
		}
		length = 12
	}
	if r <= unicode.MaxASCII || !unicode.IsGraphic(r) {
		return 0, 0
	}
	return r, length
}

func codeUnit(src []byte) (rune, bool) {
	if len(src) < 6 || src[0] != '\\' || src[1] != 'u' {
		return 0, false
	}
	n, err := strconv.ParseUint(string(src[2:6]), 16, 16)
	return rune(n), err == nil
}
