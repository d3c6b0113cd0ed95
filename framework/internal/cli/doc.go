// Package cli is the command line of sagasu. It searches manuals so that nothing relevant is
// missed. It is an MCP server for agents, a command line for people and the
// host of the retrieval strategies, which it starts from itself.
//
// Each file holds one subcommand or a family of them: flags in, one call to the framework, output.
package cli
