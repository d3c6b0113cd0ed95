//go:build !linux

package host

import "errors"

// RunSandbox is the main of the wrapper, which exists on Linux only.
func RunSandbox(_, _ []string) error { return errors.New("this system has no sandbox to run in") }

func sandboxDescription() string {
	return "no sandbox on this system; the executable's hash is checked"
}
