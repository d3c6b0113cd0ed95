//go:build !linux

package host

import "errors"

// RunSandbox is the main of the wrapper, which exists on Linux only.
func RunSandbox(_, _ []string) error { return errors.New("this system has no sandbox to run in") }

// Confine does nothing: this system has no sandbox.
func Confine() error { return nil }

// Confinement says that nothing holds a strategy back on this system.
func Confinement() Sandbox { return confinement(policy{}) }

func confinement(policy) Sandbox {
	return Sandbox{Open: []string{openFiles, openTCP, openUDP, openSockets}}
}
