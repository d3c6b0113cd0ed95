// Package guard runs code so that a panic does not end the process or leave a caller waiting.
//
// All goroutines of the host, and of the sdk packages that run in it, must be started here; a test enforces this.
package guard
