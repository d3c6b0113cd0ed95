package snapshot

// Statistics are the figures of a collection that ranking weighs terms and lengths by.
type Statistics struct {
	// Sections is the number of sections, ≥ 0.
	Sections int `json:"sections"`
	// Lengths are the average lengths of the fields in tokens, in the order of the schema.
	Lengths []float64 `json:"lengths"`
	// DocFreqs is in how many sections a term stands. A term that is missing was not asked for.
	DocFreqs map[string]int `json:"doc_freqs"`
}

// docFreq returns how many sections of the collection hold a term that n of the gathered ones hold. Of a term that
// was not asked for the share of the gathered stands for that of the collection.
func (s *Statistics) docFreq(term string, n, gathered int) int {
	if known, ok := s.DocFreqs[term]; ok || n == 0 {
		return max(known, n)
	}
	return max(n, n*s.Sections/gathered)
}
