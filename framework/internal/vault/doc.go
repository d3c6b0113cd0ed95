// Package vault is the toolset of finished work: the files under VAULT_ROOT, written whole or
// not at all, one writer per file among all processes, with what they replace kept as
// compressed history. [Module] is the open product; its tools place, read, scan and search
// files, count what is cited, audit an artifact against its source (package audit) and copy
// from manuals (package bridge). Retrieval and ranking belong to package search, the manuals to
// package manuals.
package vault
