// Package framework opens a workspace of manuals from a Go program: search it, read what was
// found, call any tool, serve it over MCP.
//
// Strategies run in separate processes, for which the program starts itself again. [Serve] must
// therefore come first in main: in such a process it serves the strategy and does not return.
//
// A whole command line with strategies of your own is package command.
package framework
