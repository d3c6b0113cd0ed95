// Package semcache caches the results of searches within one process, so that a repeated question
// costs nothing. It decides when two queries ask the same, where a cached result is valid, and when
// to search again in spite of a hit.
//
// It neither searches nor plans: package search queries it before a search and stores the payload
// after one. It does not interpret the payload.
package semcache
