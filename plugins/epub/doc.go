// Package epub converts books in EPUB 2 and 3: their chapters in reading order, with the titles of their tables of
// contents.
package epub
