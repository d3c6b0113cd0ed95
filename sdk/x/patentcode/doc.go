// Package patentcode normalises classification codes of publications (FI, F-terms, IPC and CPC) and
// compares their places in the hierarchy.
package patentcode
