// Package manuals searches, lists and reads manuals: the tools, their arguments and results, their
// limits and errors, and the resources they hold open. Package corpus reads and cuts the files, and
// package search searches them; neither knows about tools.
package manuals
