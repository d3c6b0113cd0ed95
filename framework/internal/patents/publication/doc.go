// Package publication is what a publication is: its record and how it is read from JSON Lines,
// the codes, numbers and dates that it carries and which writings of them mean the same,
// and the filters that select publications by them.
//
// It searches no text and knows no format of a patent office; sagasu import turns those
// into records.
package publication
