// Package passage chooses the text of a section that answers a query: sentences, rows of a table with
// its header, items of a list with their lead, blocks of code whole. Pure functions.
package passage
