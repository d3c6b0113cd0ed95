// Package convert reads documents as text: it chooses the converter of a file by its name, has the host run it, and
// caches the text in the user's cache directory by content, so that each document is converted once.
//
// Package host runs the processes of converters, and package corpus uses the text.
package convert
