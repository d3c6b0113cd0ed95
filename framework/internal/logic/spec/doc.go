// Package spec reads specifications written in Markdown: requirements with
// their scenarios, as obligations or as removed ones, and the statements in
// them that bind, in English and Japanese.
//
// It reads no files and compares nothing with code.
package spec
