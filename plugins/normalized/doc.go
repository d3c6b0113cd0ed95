// Package normalized is the base strategy: BM25F over heading path and own
// text in normalised form, with coverage, phrases and proximity. Its scores are
// what the other strategies' are fused onto.
package normalized
