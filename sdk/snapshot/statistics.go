package snapshot

// Statistics are the figures of a collection that ranking needs to weigh terms and lengths.
type Statistics struct {
	// Sections is the number of sections, ≥ 0.
	Sections int `json:"sections"`
	// Lengths are the average lengths of the fields in tokens, in the order of the schema.
	Lengths []float64 `json:"lengths"`
	// DocFreqs is the number of sections that have a term. A missing term was not requested.
	DocFreqs map[string]int `json:"doc_freqs"`
}

// docFreq returns the number of sections of the collection that have a term which n of the gathered sections have.
// For a term that was not requested, it assumes that the term's share of the collection is its share of the
// gathered sections.
func (s *Statistics) docFreq(term string, n, gathered int) int {
	if known, ok := s.DocFreqs[term]; ok || n == 0 {
		return max(known, n)
	}
	return max(n, n*s.Sections/gathered)
}
