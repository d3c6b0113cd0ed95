// Package semcache remembers the payloads of searches inside one process, so
// that a question asked again costs nothing. It decides when two queries are
// the same question, what a remembered answer is valid for, and when it must be
// searched for again all the same.
//
// It neither searches nor plans: package find asks it before a search and hands
// it the payload after one. What the payload is, is the caller's business.
package semcache
