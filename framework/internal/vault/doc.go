// Package vault keeps finished work: the files under VAULT_ROOT, written whole or
// not at all, one writer per file among all processes, with what they replace
// kept as compressed history.
//
// It decides where a file may lie, reads and scans in measured pieces, searches
// lines, counts what is cited, and ranks what a query finds with package search.
// Copying from manuals is package bridge's business.
package vault
