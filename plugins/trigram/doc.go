// Package trigram is the strategy that compares the query with sections by their character trigrams.
package trigram
