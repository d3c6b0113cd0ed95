// Package code cuts source files into units: functions, methods, types,
// constants and tables, each with its doc comment, what encloses it, and the
// facts of its logic (conditions, thresholds, failures, states). Go is read by
// its own parser; all other languages by one scanner that is driven by a table
// of their comments, strings, blocks and declarations.
//
// It reads no files, does not rank, and does not say what a unit means.
package code
