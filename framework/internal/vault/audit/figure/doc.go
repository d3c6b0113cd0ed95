// Package figure finds figures in a statement that its source does not contain: numbers with their unit, dates, codes
// and negations. It consists of pure functions.
package figure
