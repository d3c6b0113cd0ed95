//go:build !race

package conformance

// slowdown is how much slower than usual everything is.
const slowdown = 1
