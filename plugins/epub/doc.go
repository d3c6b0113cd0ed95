// Package epub converts books in EPUB 2 and 3: the chapters in reading order, with the titles from the table of
// contents.
package epub
