// Package lexical finds sections of a snapshot by their terms: BM25F with the exact set of
// matched sections, boolean expressions, phrase and loose matching verified on the text, and
// proximity.
//
// The bundled strategies use it, and others may: its API is promised (see package sdk). The host
// plans queries and fuses results.
package lexical
