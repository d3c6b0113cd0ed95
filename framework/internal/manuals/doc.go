// Package manuals searches, lists and reads manuals: the tools, their arguments and results, their
// limits and errors, and what they hold open. Package corpus reads and cuts the files, package
// search finds in them; neither knows a tool.
package manuals
