// Package bench measures speed. One run compares every figure with that of a peer, query by query, so that the noise of
// a shared machine affects both. It reports what was measured, where, and against which bar.
//
// It drives a server over its standard input and output and a peer in a process of its own, or calls functions that it
// is given. It searches nothing itself and knows no strategy. It also grows a corpus, so that the same queries can run
// on ten times the text.
package bench
