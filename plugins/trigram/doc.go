// Package trigram is a strategy that compares the query with sections by character trigrams.
package trigram
