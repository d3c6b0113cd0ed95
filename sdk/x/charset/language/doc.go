// Package language measures how usual a text is in a language, with a small model of which characters follow each
// other, trained on texts. It consists of pure functions.
package language
