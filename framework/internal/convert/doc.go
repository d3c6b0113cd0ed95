// Package convert reads documents as text: it chooses the converter of a file by its name, has the host run it,
// and keeps the text in the user's cache directory by what the document holds, so that each is converted once.
//
// The processes of converters are package host's, and what becomes of the text is package corpus's.
package convert
