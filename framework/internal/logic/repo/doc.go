// Package repo decides which files of a repository are code and which are specifications, by globs. It leaves out,
// each with its reason, what git ignores, tests, vendored, generated and lock files, and archives.
//
// It lists and reads files below one root and follows no links.
package repo
