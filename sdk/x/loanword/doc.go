// Package loanword decides which Japanese loanwords may come from which English words. It reads how katakana and
// English sound, closely enough to compare them.
//
// It consists of pure functions. Callers decide how similar is enough.
package loanword
