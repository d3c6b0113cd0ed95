// Package rule finds values in which code and specifications, or two specifications, differ. It reads numbers and flags
// with adjacent names, and compares required values with the values of the same name.
//
// Its functions are pure. A glossary relates the words of both languages.
package rule
