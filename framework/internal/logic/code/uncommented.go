package code

import "slices"

// Uncommented is the source that f was cut from with a space for every byte of its
// comments and doc strings, so that lines and columns stay.
func (f File) Uncommented(src []byte) []byte {
	bare := slices.Clone(src)
	blank := func(s Span) {
		for i := s.Start; i < s.End; i++ {
			if bare[i] != '\n' && bare[i] != '\r' {
				bare[i] = ' '
			}
		}
	}
	for _, c := range f.Comments {
		blank(c)
	}
	for _, u := range f.Units {
		blank(u.Doc)
	}
	return bare
}
