// Package laterank is a reranker by late interaction: every word of the query
// looks for its best likeness among the words of a passage, and a section is
// as good as its best passage. Words are alike by surface, by stem, by the
// characters they share and, where that is switched on, by what the corpus
// teaches about them.
package laterank
