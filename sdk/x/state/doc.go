// Package state keeps files that a strategy computed from segments in its state directory, so
// that another start need not compute them again.
package state
