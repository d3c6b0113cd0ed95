// Package loanword decides which Japanese loanwords may come from which English
// words: it reads how katakana and English sound, near enough to compare both.
//
// Pure functions; bounds on how alike is enough are the callers'.
package loanword
