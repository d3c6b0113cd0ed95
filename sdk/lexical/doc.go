// Package lexical finds sections of a snapshot by their terms: BM25F with the exact set of
// matched sections, boolean expressions, phrase and loose matching verified on the text, and
// proximity.
//
// The bundled strategies are built from it, and any other may be: what it exports is promised (see
// package sdk). Planning queries and fusing results is left to the host.
package lexical
