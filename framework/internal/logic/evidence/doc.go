// Package evidence finds the lines of a repository's code and specifications
// that may decide a question on its logic. Its index is one of code and
// specifications on the engine that manuals have, and its ranking leads from
// prose to programs: by split identifiers, by what specifications name, and by
// the glossary of both languages.
//
// What answers follow from the lines is package logic's.
package evidence
