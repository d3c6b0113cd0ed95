// Package framework opens a workspace of manuals from a Go program: it searches the workspace, reads sections, calls
// any tool and serves it over MCP.
//
// Strategies run in separate processes, for which the program starts itself again. Call [Serve] first in main: in
// such a process it serves the strategy and does not return.
//
// Package command is the whole command line, for a binary with your own strategies.
package framework
