// Package normalized is the base strategy: BM25F over heading path and own text in normalised form,
// with coverage, phrases and proximity. The other strategies' scores are fused with its scores.
package normalized
