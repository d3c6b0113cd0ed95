// Package evidence finds the lines of a repository's code and specifications that may decide a question on its logic.
// It indexes both with the engine that manuals use. Its ranking leads from prose to programs: by split identifiers, by
// what specifications name, and by a glossary of both languages.
//
// Package answer derives answers from the lines.
package evidence
