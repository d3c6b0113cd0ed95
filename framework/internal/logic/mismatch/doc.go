// Package mismatch lists where the code of a repository contradicts its specifications, and where open changes
// contradict the main ones, with the age of each line. Package rule compares two rules.
package mismatch
