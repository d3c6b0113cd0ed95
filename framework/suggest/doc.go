// Package suggest finds the names that a caller probably meant: the closest
// manual ids, paths, tools or arguments to what was given. It knows no tool
// and reads nothing.
package suggest
