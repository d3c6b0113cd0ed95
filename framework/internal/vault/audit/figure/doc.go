// Package figure finds the figures of a statement that a source does not hold: numbers with their unit, dates,
// codes and negations. Pure functions.
package figure
