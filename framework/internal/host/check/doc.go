// Package check examines the executable of a strategy, in whatever language it is
// written: it is started as the host starts it, held to the rules of package conformance
// and to those of a process, and measured.
package check
