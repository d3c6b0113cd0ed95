// Package semantic is the strategy that finds sections by likeness of meaning: texts
// become vectors, and the sections nearest to the query's are found by comparing all.
// The vectors are learned from the collection itself, without any download, unless the
// configuration names an embedding service.
//
// It says nothing of single words: a section that it finds may hold none of the query's.
package semantic
