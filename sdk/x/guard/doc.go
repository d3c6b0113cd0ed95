// Package guard runs code so that its panic ends neither the process nor a caller that waits.
//
// All goroutines of the host, and of the packages of sdk that run in it, start here; a test looks
// for others.
package guard
