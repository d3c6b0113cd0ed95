// Package language says how usual a text is in a language: a model of which characters follow each other, trained on
// texts and kept in few bytes. Pure functions.
package language
