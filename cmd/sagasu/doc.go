// Command sagasu finds everything relevant in manuals: an MCP server for agents and a command line for people.
package main
