package text

// Folder folds many texts, one after the other, in the same room. The zero value
// is ready. Not safe for concurrent use.
type Folder struct{ n normalizer }

// Fold is the function Fold. What is in search form already is returned as it is,
// and not as a copy.
func (f *Folder) Fold(src string) string {
	f.n = normalizer{src: src, space: none, out: f.n.out, cues: f.n.cues[:0], form: f.n.form, spare: f.n.spare}
	f.n.fold()
	f.n.src = "" // it may go before the folder does
	if string(f.n.out) == src {
		return src
	}
	return string(f.n.out)
}
