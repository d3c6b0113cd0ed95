// Package evidence finds the lines of a repository's code and specifications that may decide a question on its logic.
// It indexes code and specifications with the engine that manuals use, and its ranking leads from prose to programs:
// by split identifiers, by what specifications name, and by the glossary of both languages.
//
// Package answer derives answers from the lines.
package evidence
