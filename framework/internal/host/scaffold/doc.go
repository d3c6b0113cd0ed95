// Package scaffold writes a new strategy: a Go module that builds, passes its tests and runs, or a Python script with
// its library. It starts no toolchain.
package scaffold
