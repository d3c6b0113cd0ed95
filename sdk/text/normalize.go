package text

import (
	"slices"
	"unicode/utf8"
)

const none = -1

// normalizer is the state of one normalisation. A first pass normalises each character by itself
// and records the places where a rule depends on neighbours. A second pass visits only these.
type normalizer struct {
	src   string
	out   []byte
	space int   // start in src of a run of white space not yet written, or none
	cues  []int // offsets in out for the second pass, ascending

	track   bool // keep offsets and humps
	offsets offsets
	humps   []int

	form, spare []byte // scratch of compose
}

func (n *normalizer) normalize() string {
	n.fold()
	return string(n.out)
}

// fold writes the form of src to out.
func (n *normalizer) fold() {
	n.out = slices.Grow(n.out[:0], len(n.src)+len(n.src)/16)
	if n.track {
		n.offsets.spans = make([]span, 0, 8+len(n.src)/64)
	}
	for i := 0; i < len(n.src); {
		j := n.copyRun(i)
		if j == i {
			j = n.cluster(i)
		}
		i = j
	}
	n.offsets.out = len(n.out)
	if edits := n.edits(); len(edits) > 0 {
		n.apply(edits)
	}
}

// copyRun copies a run of frequent characters, whose form is known without the Unicode tables, and
// returns the end of the run.
func (n *normalizer) copyRun(i int) int {
	switch b := n.src[i]; {
	case b < utf8.RuneSelf && asciiForm[b] > ' ':
		return n.copyASCII(i)
	case b >= 0xE3 && b <= 0xE9:
		return n.copyCJK(i)
	case asciiSpace(b):
		return n.skipSpace(i)
	}
	return i
}

func (n *normalizer) copyASCII(i int) int {
	src := n.src
	if extends(src[i+1:]) > 0 {
		return i
	}
	n.flushSpace()
	n.copied(i)
	out, j := n.out, i
	for ; j < len(src) && src[j] < utf8.RuneSelf; j++ {
		b := src[j]
		f := asciiForm[b]
		if f == 0 || f == ' ' && !betweenGraphic(src, i, j) {
			break
		}
		if f != b {
			if n.track && isHump(src, j) {
				n.humps = append(n.humps, len(out))
			}
		} else if f == ',' && len(out) > 0 && isDigit(out[len(out)-1]) {
			n.cues = append(n.cues, len(out))
		}
		out = append(out, f)
	}
	if extends(src[j:]) > 0 {
		j--
		out = out[:len(out)-1]
		n.forget(len(out))
	}
	n.out, n.offsets.end = out, j
	return j
}

// betweenGraphic reports whether the space src[j] is between two graphic ASCII characters of a run
// that starts at i.
func betweenGraphic(src string, i, j int) bool {
	return j > i && j+1 < len(src) && src[j+1] < utf8.RuneSelf && asciiForm[src[j+1]] > ' '
}

// isHump reports whether the capital letter src[i] starts a part of an identifier: fooBar, v2Beta, HTTPServer, but not
// the D of IDs.
func isHump(src string, i int) bool {
	if i == 0 || !isUpper(src[i]) {
		return false
	}
	prev, low := src[i-1], i+1 < len(src) && isLower(src[i+1])
	switch {
	case isLower(prev):
		return true
	case isUpper(prev):
		plural := low && src[i+1] == 's' && (i+2 == len(src) || !isLower(src[i+2]))
		return low && !plural
	}
	return low && isDigit(prev)
}

// copyCJK copies kanji, kana and the commonest punctuation.
func (n *normalizer) copyCJK(i int) int {
	src, j := n.src, i
	base := len(n.out) - i
	if n.space != none && len(n.out) > 0 {
		base++
	}
	for j+3 <= len(src) && src[j] >= 0xE3 && src[j] <= 0xE9 && src[j+1]&0xC0 == 0x80 && src[j+2]&0xC0 == 0x80 {
		r := rune(src[j]&0x0F)<<12 | rune(src[j+1]&0x3F)<<6 | rune(src[j+2]&0x3F)
		if r < 0x3400 && !plainKana(r) {
			break
		}
		if cueTail>>(src[j+2]&0x3F)&1 != 0 && isCue(r) {
			n.cues = append(n.cues, base+j)
		}
		j += 3
	}
	if j > i && extends(src[j:]) > 0 {
		j -= 3
		n.forget(base + j)
	}
	if j > i {
		n.flushSpace()
		n.copied(i)
		n.out = append(n.out, src[i:j]...)
		n.offsets.end = j
	}
	return j
}

// plainKana reports whether a character below the ideographs stays unchanged.
func plainKana(r rune) bool {
	switch {
	case r >= 0x3041 && r <= 0x3096:
		return true
	case r >= 0x30A1 && r <= 0x30F6:
		return r != 'ヂ' && r != 'ヅ'
	}
	return r >= 0x30FB && r <= 0x30FE || r == '、' || r == '。' || r >= 0x3005 && r <= 0x3007
}

func (n *normalizer) skipSpace(i int) int {
	j := i + 1
	for j < len(n.src) && asciiSpace(n.src[j]) {
		j++
	}
	if extends(n.src[j:]) > 0 {
		j--
	}
	if j > i && n.space == none {
		n.space = i
	}
	return j
}

// flushSpace writes the pending white space, if any.
func (n *normalizer) flushSpace() {
	if n.space != none && len(n.out) > 0 {
		n.copied(n.space)
		n.out = append(n.out, ' ')
	}
	n.space = none
}

// copied records that the following output corresponds byte by byte to the source from src on.
func (n *normalizer) copied(src int) {
	if n.track {
		n.offsets.copied(len(n.out), src)
	}
}

// forget drops the records about the normalised byte at, which is being removed.
func (n *normalizer) forget(at int) {
	if k := len(n.cues) - 1; k >= 0 && n.cues[k] == at {
		n.cues = n.cues[:k]
	}
	if k := len(n.humps) - 1; k >= 0 && n.humps[k] == at {
		n.humps = n.humps[:k]
	}
}
