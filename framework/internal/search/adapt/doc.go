// Package adapt learns from use when a search should widen. It keeps one row of
// figures per search in a file that several processes append to, counts which
// of the refs that are used later a search had found, moves the thresholds of
// widening by that, and sums the rows up.
//
// It keeps no text and decides nothing in a search: package find asks it for
// the thresholds and tells it what came of them.
package adapt
