// Package server speaks MCP: it offers the tools, prompts and resources of open toolsets to a
// client and carries calls, results, failures and progress. It knows tools and no product, searches
// nothing and opens no file, and it alone imports the MCP library.
//
// Programs without MCP call tools by [Server.Call].
package server
