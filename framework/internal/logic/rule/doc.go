// Package rule finds values in which code and specifications, or two specifications,
// differ: it reads numbers and flags with the names beside them, and
// compares a value that is wanted with those of the same name.
//
// Pure functions. The words of both languages meet through a glossary.
package rule
