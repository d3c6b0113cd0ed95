// Command sagasu-release builds what GoReleaser does not: the npm packages, the bundle for MCP clients and the entry in
// the MCP registry, from the binaries in dist. It is for maintainers; see docs/release.md.
package main
