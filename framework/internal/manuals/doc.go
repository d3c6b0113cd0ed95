// Package manuals holds the tools that list, read and scan manuals without any
// search: what they answer, their limits and their faults. Arguments reach it
// decoded; files reach it through package corpus.
package manuals
