// Package testbed measures an open workspace as it is set up, and as it might be: its searches by variants of its
// strategies and figures, each change alone or tuned together, and agents that call its tools. For package bench it
// opens the searches that are timed. Package eval says what is measured.
package testbed
