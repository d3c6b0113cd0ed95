// Package adapt learns from use when a search should widen. It appends a row of numbers per
// search to a journal that several processes share, counts which of the sections that are used
// later the search had found, moves the thresholds of widening by that, and sums the rows up.
//
// It keeps no text and decides nothing in a search: package search asks for the thresholds and
// reports what came of them.
package adapt
