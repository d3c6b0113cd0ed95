package snapshot

// Statistics are the figures of a collection that ranking weighs terms and lengths by.
type Statistics struct {
	// Sections is the number of sections, ≥ 0.
	Sections int
	// Lengths are the average lengths of the fields in tokens, in the order of the schema.
	Lengths []float64
	// DocFreqs is in how many sections a term stands. A term that is missing was not asked for.
	DocFreqs map[string]int
}
