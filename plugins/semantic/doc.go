// Package semantic is a strategy that finds sections by similarity of meaning: texts become vectors, and the sections
// nearest to the query are found by comparing all vectors. The vectors are learned from the collection itself, without
// any download, unless the configuration names an embedding model.
//
// It does not match single words: a section that it finds may contain no word of the query.
package semantic
