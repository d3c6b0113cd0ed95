// Package server is the MCP surface: it registers the tools, decodes their
// arguments by one strict decoder, calls the rooms that do the work and
// carries results and failures back.
//
// It holds no search logic and no file access; it alone imports the MCP
// library. The same door serves callers without MCP, see [Server.Call].
package server
