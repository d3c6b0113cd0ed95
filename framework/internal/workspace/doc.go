// Package workspace turns flags, environment and configuration files into one Workspace value: the roots, the limits
// and the weights of a run, and where each of them came from.
//
// It decides where manuals, index and state are. It reads no manual, builds no index and prints nothing.
package workspace
