// Package charset finds the encoding of a text and decodes it: by its byte order mark, its escape sequences, what it
// declares, and then by which encoding makes the most usual text of it. Pure functions.
package charset
