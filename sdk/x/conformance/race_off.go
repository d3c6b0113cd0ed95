//go:build !race

package conformance

// slowdown is the factor by which everything is slower than usual.
const slowdown = 1
