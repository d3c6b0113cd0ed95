// Package tension finds the pairs of sentences that a reader should compare: two sentences of different sections that
// both bear on the query, are about the same thing and differ. It ranks them by a fitted probability and asserts
// those as conflicts whose probability is high. Pure functions over plain data: no I/O, no state, bounded steps.
//
// The features, the origin of the weights and their figures: docs/reference/tensions.md.
package tension
