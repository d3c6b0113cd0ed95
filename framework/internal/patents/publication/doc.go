// Package publication defines a publication: its record and how it is read from JSON Lines, its codes, numbers and
// dates and which spellings of them mean the same, and the filters that select publications by them.
//
// It searches no text and knows no format of a patent office; sagasu import turns those
// into records.
package publication
