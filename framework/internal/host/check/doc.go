// Package check examines the executable of a strategy in any language: it starts it as the host does, applies the
// rules of package conformance and those for a process, and measures it.
package check
