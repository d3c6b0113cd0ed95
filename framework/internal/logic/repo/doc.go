// Package repo decides by globs which files of a repository are code and which are specifications. It leaves out, each
// with a reason, tests, archives, vendored, generated and lock files, and what git ignores.
//
// It lists and reads files below one root and follows no links.
package repo
