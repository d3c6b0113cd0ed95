// Package framework opens a workspace of manuals from a Go program: search it, read what was
// found, call any tool, serve it over MCP.
//
// Strategies run in processes of their own, which are this program started again. [Serve]
// therefore comes first in main: in such a process it serves the strategy and does not return.
//
// A whole command line with strategies of your own is package command.
package framework
