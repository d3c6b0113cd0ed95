// Package code cuts source files into units: functions, methods, types, constants and tables, each with its doc
// comment, what encloses it, and the facts of its logic (conditions, thresholds, failures, states). Go is read by its
// own parser. All other languages are read by one scanner with a table of their comments, strings, blocks and
// declarations.
//
// It reads no files, does not rank, and does not interpret what a unit means.
package code
