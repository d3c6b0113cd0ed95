// Package state stores files that a strategy computed from segments in its state directory, so that they need not be
// computed again at the next start.
package state
