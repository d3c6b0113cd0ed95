// Package adapt learns from use when a search should widen. It appends a row of numbers per search to a journal that
// several processes share. It counts how many of the sections that are used later were found by the search, adapts the
// thresholds of widening to that, and summarises the rows.
//
// It stores no text and makes no decision in a search: package search reads the thresholds and reports the outcome.
package adapt
