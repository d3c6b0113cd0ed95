// Package doctor examines a workspace: its roots, its configuration, its index, its strategies, each of which it starts
// and tries, and the executables of its converters. It reports what is wrong and what to do. It builds no index,
// changes nothing and prints nothing.
package doctor
