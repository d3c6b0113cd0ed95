// Package rule finds values in which code and specifications, or two specifications, differ: it
// reads numbers and flags with adjacent names, and compares required values with the values of the
// same name.
//
// Pure functions. The words of both languages meet through a glossary.
package rule
