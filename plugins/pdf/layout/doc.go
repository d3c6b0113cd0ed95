// Package layout turns the characters of pages into text: lines and columns in reading order, paragraphs, lists,
// tables, code and headings. It has plain data as input and output, and knows no file format.
package layout
