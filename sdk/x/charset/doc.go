// Package charset finds the encoding of a text and decodes it: by its byte order mark, its escape sequences, what it
// declares, and then by the encoding that gives the most usual text. It consists of pure functions.
package charset
