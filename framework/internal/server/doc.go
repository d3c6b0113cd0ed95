// Package server speaks MCP: it offers the tools, prompts and resources of open toolsets to a client, and transports
// calls, results, failures and progress. It knows tools but no product, searches nothing and opens no file. It is the
// only package that imports the MCP library.
//
// Programs without MCP call tools with [Server.Call].
package server
