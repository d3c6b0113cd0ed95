// Package layout makes text of the characters of pages: lines and columns in reading order, paragraphs, lists,
// tables, code and headings. It is plain data in, plain data out, and knows no format of files.
package layout
