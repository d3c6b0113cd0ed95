// Package fusion merges scored lists into one ranking and keeps what each list
// added to each score. Pure functions over ids and numbers: it knows no text,
// no snapshot and no strategy.
package fusion
