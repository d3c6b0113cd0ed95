// Package doublebyte decodes the encodings of East Asia in which a character takes more than one byte. Its tables are
// the decoding tables of golang.org/x/text, compressed to a tenth. Pure functions.
package doublebyte
