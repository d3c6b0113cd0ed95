// Package rule finds values in which code and specifications, or two specifications,
// differ: it reads numbers, HTTP statuses and flags with the words around them, and
// compares a value that is wanted with those of the same setting, or that stand among the same words.
//
// Pure functions. The words of both languages meet through a glossary.
package rule
