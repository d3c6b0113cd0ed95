// Package repo decides which files of a repository are code and which are
// specifications: by globs, without what git ignores, tests, vendored,
// generated and lock files and archives, each left out with its reason.
//
// It lists and reads files below one root and follows no links.
package repo
