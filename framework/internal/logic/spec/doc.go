// Package spec reads specifications written in Markdown: requirements with their scenarios, whether they apply or were
// removed, and the binding statements in them, in English and Japanese.
//
// It reads no files and compares nothing with code.
package spec
