// Package semcache remembers the results of searches within one process, so that a question
// asked again costs nothing. It decides when two queries ask the same, what a remembered
// result is valid for, and when it has to be searched for again all the same.
//
// It neither searches nor plans: package search asks it before a search and hands it the
// payload after one. What the payload means is the caller's business.
package semcache
