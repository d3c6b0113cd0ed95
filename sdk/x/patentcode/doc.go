// Package patentcode brings classification codes of publications (FI, F-terms, IPC and CPC) to their one
// writing and reports which lies below which.
package patentcode
