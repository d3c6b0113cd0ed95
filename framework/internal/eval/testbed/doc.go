// Package testbed measures an open workspace as it is configured, and as it might be: its searches with variants of its
// strategies and figures, each change alone or tuned together, and agents that call its tools. For package bench, it
// opens the searches that are timed. Package eval defines the measures.
package testbed
