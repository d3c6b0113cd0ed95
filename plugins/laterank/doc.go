// Package laterank is a reranker by late interaction: each word of the query is compared with its most similar word in
// a passage, and a section scores as well as its best passage. Words are similar if they are equal, have the same stem,
// or share characters.
package laterank
