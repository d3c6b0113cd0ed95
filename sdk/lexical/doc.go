// Package lexical finds sections of a snapshot by the terms they hold: BM25F
// with the exact set of matched sections, phrase and loose matching verified on
// the text, and proximity.
//
// It is what the bundled strategies are built from and is open to any other. It
// does not plan queries and does not fuse lists: those are the host's.
package lexical
