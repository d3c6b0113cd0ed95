// Package laterank is a reranker by late interaction: every word of the query is compared with its most similar word
// in a passage, and a section is as good as its best passage. Words are similar by surface, by stem and by the
// characters they share.
package laterank
