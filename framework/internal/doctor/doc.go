// Package doctor examines a workspace: its roots, its configuration, its index
// and its strategies, each of which it starts and tries. It says what is wrong
// and what to do. It builds no index, changes nothing and prints nothing.
package doctor
