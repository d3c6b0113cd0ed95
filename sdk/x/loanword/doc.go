// Package loanword decides which Japanese loanwords may come from which English words: it reads how katakana and
// English sound, closely enough to compare them.
//
// It consists of pure functions; callers decide how similar is enough.
package loanword
