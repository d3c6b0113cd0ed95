package text

// Text is a text in search form, with a map back to its source.
type Text struct {
	// Norm is the normalised text, valid UTF-8.
	Norm string

	offsets offsets
	humps   []int // offsets in Norm where a camelCase part of an identifier starts
}

// Normalize brings src into search form: NFKC, case fold, width, newline and space folding, one
// representative for each class of hyphens and dashes, middle dots, brackets, slashes, quotes and
// tildes, katakana variants, digits of every script, and kanji and Roman numerals where a number
// stands. Latin letters lose their diacritics. Zero-width and control characters are dropped. Runs
// of white space become one space and are dropped at both ends. An invalid byte becomes U+FFFD.
//
// Idempotent: Normalize(Normalize(s).Norm).Norm == Normalize(s).Norm.
func Normalize(src string) Text {
	n := normalizer{src: src, space: none, track: true}
	norm := n.normalize()
	return Text{Norm: norm, offsets: n.offsets, humps: n.humps}
}

// Fold returns Normalize(src).Norm. It is faster, since it builds no map to the source.
func Fold(src string) string {
	n := normalizer{src: src, space: none}
	return n.normalize()
}

// Camel reports whether the source had camelCase, whose parts are words. Norm alone does not show
// where they start.
func (t *Text) Camel() bool { return len(t.humps) > 0 }

// Source returns the byte range of the source that the normalised bytes [start, end) came from,
// where 0 ≤ start ≤ end ≤ len(t.Norm). The range is widened to whole units: a unit is the smallest
// piece of source that was normalised together (a character with its combining marks, a run of
// white space, a rewritten number), so no combining sequence is ever cut.
//
// Substitution law: with a, b := t.Source(start, end),
// Fold(src[:a] + t.Norm[s:e] + src[b:]) == t.Norm, where [s, e) is [start, end)
// widened to units. Ranges are monotone in start and end.
//
// A Text built from a Norm alone is its own source.
func (t *Text) Source(start, end int) (int, int) {
	if len(t.offsets.spans) == 0 {
		return start, end
	}
	a := t.offsets.source(runeStart(t.Norm, start))
	if start >= end {
		return a, a
	}
	return a, t.offsets.sourceEnd(runeEnd(t.Norm, end))
}

// Folder folds many texts one after another and reuses its memory. The zero value is ready to use.
// It is not safe for concurrent use.
type Folder struct{ n normalizer }

// Fold does the same as the function [Fold]. It returns text that is already in search form without
// copying it.
func (f *Folder) Fold(src string) string {
	f.n = normalizer{src: src, space: none, out: f.n.out, cues: f.n.cues[:0], form: f.n.form, spare: f.n.spare}
	f.n.fold()
	f.n.src = "" // lets it be freed before the folder
	if string(f.n.out) == src {
		return src
	}
	return string(f.n.out)
}
