// Package mismatch lists where the code of a repository contradicts its specifications, and open
// changes the main ones, with the age of each line. How two rules are compared is package rule's.
package mismatch
