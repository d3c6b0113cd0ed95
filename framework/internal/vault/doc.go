// Package vault keeps finished work: the files under VAULT_ROOT, written whole or
// not at all, one writer per file among all processes, with what they replace
// kept as compressed history.
//
// It decides where a file may lie, reads and scans in measured pieces, searches
// lines and counts what is cited. Ranked search over the vault is package search's
// business, copying from manuals framework/bridge's.
package vault
