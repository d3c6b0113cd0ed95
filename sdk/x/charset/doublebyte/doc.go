// Package doublebyte decodes the encodings of East Asia in which a character takes more than one byte. Its tables are
// those of golang.org/x/text without what encodes, compressed to a tenth. Pure functions.
package doublebyte
