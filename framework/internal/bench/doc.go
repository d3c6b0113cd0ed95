// Package bench measures speed: one run compares every figure with that of a peer, query by
// query, so that the noise of a shared machine affects both, and reports what was measured,
// where, and by which bar.
//
// It drives what it measures from outside, a server over its standard input and output and a
// peer in a process of its own, or is handed it as functions. It searches nothing itself and
// knows no strategy. It also grows a corpus, so that the same queries can be asked of ten
// times the text.
package bench
