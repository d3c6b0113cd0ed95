// Package text turns text into its search form, the same for host and
// strategies: normalisation with an exact map back to the source, and
// tokenisation of Japanese and English alike.
//
// It does no I/O and keeps no state but caches of what follows from its input alone.
package text
