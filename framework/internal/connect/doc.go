// Package connect adds the entry that starts the MCP server to the configuration files of clients, and removes it
// again. An edit is one splice of the text: comments, order, indentation and line ends of the rest stay as they are,
// and each result is parsed and compared with the original before it is written.
//
// What was replaced is recorded in the user's state folder, so that an edit can be undone exactly. The package starts
// no client and writes no other file.
package connect
