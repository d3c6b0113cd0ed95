// Package corpus turns files into sections: it finds the manuals under their roots, walks and reads them safely, and
// cuts Markdown, JSON and other text into the sections that are indexed, read and listed.
//
// It neither indexes nor ranks.
package corpus
