// Package doublebyte decodes the East Asian encodings in which a character takes more than one byte. Its tables are
// the decoding tables of golang.org/x/text, compressed to a tenth. It consists of pure functions.
package doublebyte
