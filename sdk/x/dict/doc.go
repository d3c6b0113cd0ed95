// Package dict knows dictionaries: synonyms and exception words, the plain text
// formats they are written in, the lists that ship with the binary, and readers
// for two public dictionaries. Search by them is the strategies'; files are
// opened by whoever calls Load.
package dict
