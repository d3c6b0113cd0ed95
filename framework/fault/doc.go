// Package fault holds the error that reaches a caller of a tool: a code, one
// sentence and details. Inside the host errors are wrapped Go errors; they
// become a fault where a caller must be told what to do next.
package fault
