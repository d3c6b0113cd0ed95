package text

import (
	"bytes"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// maxRounds is the maximum number of rounds of compose, which needs far fewer.
const maxRounds = 5

// cluster normalises the character at i together with the marks and dropped characters after it. It
// returns the offset of their end.
func (n *normalizer) cluster(i int) int {
	r, size := utf8.DecodeRuneInString(n.src[i:])
	j := i + size
	for {
		more := extends(n.src[j:])
		if more == 0 {
			break
		}
		j += more
	}
	switch f := classOf(r); {
	case f != 0 && j == i+size:
		n.form = utf8.AppendRune(n.form[:0], f)
	case j == i+size && settled(r, n.src[i:j]):
		n.form = append(n.form[:0], n.src[i:j]...)
	default:
		n.compose(n.src[i:j])
	}
	n.plain()
	n.write(n.form, i, j)
	return j
}

// settled reports whether the character r, written as s, is its own form.
func settled(r rune, s string) bool {
	return r != 'ß' && r != utf8.RuneError && formOf(r) == r && norm.NFKC.QuickSpanString(s) == len(s)
}

// compose sets n.form to the form of a cluster. Folding may undo composition and vice versa, so
// both are repeated until nothing changes.
func (n *normalizer) compose(s string) {
	n.form = n.form[:0]
	for _, r := range s {
		n.form = appendForm(n.form, spacingMark(r))
	}
	for range maxRounds {
		n.spare = norm.NFKC.Append(n.spare[:0], n.form...)
		before := len(n.spare)
		for rest := n.spare; len(rest) > 0; {
			r, size := utf8.DecodeRune(rest)
			n.spare, rest = appendForm(n.spare, r), rest[size:]
		}
		folded := n.spare[before:]
		if bytes.Equal(n.form, folded) {
			return
		}
		n.form = append(n.form[:0], folded...)
	}
}

// plain drops the diacritics of the Latin letters of n.form, since many people type a query without them.
func (n *normalizer) plain() {
	latin := func(r rune) bool { return unicode.Is(unicode.Latin, r) }
	if len(n.form) == 1 || bytes.IndexFunc(n.form, latin) < 0 {
		return
	}
	n.spare = norm.NFD.Append(n.spare[:0], n.form...)
	kept, letter := n.form[:0], false
	for rest := n.spare; len(rest) > 0; {
		r, size := utf8.DecodeRune(rest)
		if mark := unicode.Is(unicode.Inherited, r); !mark || !letter { // a mark of any script
			kept = append(kept, rest[:size]...)
			letter = isLower(rest[0])
		}
		rest = rest[size:]
	}
	n.form, n.spare = norm.NFC.Append(n.spare[:0], kept...), kept
}

// write appends the form of the source range [i, j) as one unit.
func (n *normalizer) write(form []byte, i, j int) {
	if len(form) == 0 {
		return
	}
	if len(form) == 1 && form[0] == ' ' {
		if n.space == none {
			n.space = i
		}
		return
	}
	if form[0] == ' ' && (n.space != none || len(n.out) == 0) {
		form = form[1:]
	}
	n.flushSpace()
	if _, size := utf8.DecodeRune(form); size == len(form) && size <= j-i {
		n.copied(i)
	} else if n.track {
		n.offsets.fused(len(n.out), i)
	}
	n.cue(form)
	n.out = append(n.out, form...)
	n.offsets.end = j
}

// cue records the places in a form that the second pass must visit.
func (n *normalizer) cue(form []byte) {
	for k := 0; k < len(form); {
		r, size := utf8.DecodeRune(form[k:])
		if r == ',' || isCue(r) {
			n.cues = append(n.cues, len(n.out)+k)
		}
		k += size
	}
}
