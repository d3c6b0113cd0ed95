// Package semantic is the strategy that finds sections by similarity of meaning: texts become vectors, and the
// sections nearest to the query are found by comparing all vectors. They are learned from the collection itself,
// without any download, unless the configuration names an embedding service.
//
// It does not match single words: a section that it finds may contain none of the query's.
package semantic
