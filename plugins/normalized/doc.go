// Package normalized is the base strategy: BM25F over heading path and own text in normalised form, with coverage,
// phrases and proximity. The scores of other strategies are fused with its scores.
package normalized
