//go:build !soak

package host_test

const searches = 60
