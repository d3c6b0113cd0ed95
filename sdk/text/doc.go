// Package text turns text into its search form, the same for host and
// strategies: normalisation with an exact map back to the source, and
// tokenisation of Japanese and English alike.
//
// It does no I/O and holds no state beyond the values it returns, except stems of words that [Tokens] has met.
package text
