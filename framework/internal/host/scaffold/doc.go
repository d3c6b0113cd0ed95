// Package scaffold writes the Go module of a new strategy: one that builds, passes its
// tests and runs. It starts no toolchain.
package scaffold
