// Package unit turns the files of a repository into rows of a snapshot: the units that packages code and spec cut, with
// the texts to find them by.
//
// It reads no files and does not rank.
package unit
