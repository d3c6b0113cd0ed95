// Package passage chooses the text of a section that answers a query: sentences, table rows with their header, list
// items with the sentence that introduces them, and whole code blocks. It consists of pure functions.
package passage
