// Package laterank is a reranker by late interaction: every word of the query
// looks for its best likeness among the words of a passage, and a section is
// as good as its best passage. Words are alike by surface, by stem and by the
// characters they share.
package laterank
