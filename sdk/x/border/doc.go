// Package border holds the rules of what a strategy may say to its host. The host
// refuses what breaks one; package conformance shows it to the author beforehand.
package border
