// Package tension finds the pairs of sentences that a reader should compare: two sentences of different sections that
// are both relevant to the query, are about the same thing and differ. It ranks them by a fitted probability and
// asserts those with a high probability as conflicts. It consists of pure functions over plain data: no I/O, no
// state, bounded steps.
//
// The features, the origin of the weights and their figures: docs/reference/tensions.md.
package tension
