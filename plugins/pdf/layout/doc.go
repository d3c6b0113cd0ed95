// Package layout turns the characters of pages into text: lines and columns in reading order, paragraphs, lists,
// tables, code and headings. Its input and output are plain data, and it knows no file format.
package layout
