// Package vault is the toolset for finished work: the files under VAULT_ROOT. They are written
// atomically, with one writer per file among all processes, and earlier versions are kept as
// compressed history. [Module] is the open product; its tools place, read, scan and search files,
// count what is cited, audit an artifact against its source (package audit) and copy from manuals
// (package bridge). Retrieval and ranking belong to package search, the manuals to package manuals.
package vault
