//go:build unix

package host

import (
	"os"
	"os/signal"
	"syscall"
)

// corruptOnSignal makes the next answer a bad one whenever the process is sent SIGUSR1.
func corruptOnSignal() {
	asked := make(chan os.Signal, 1)
	signal.Notify(asked, syscall.SIGUSR1)
	go func() {
		for range asked {
			corruptNext.Store(true)
		}
	}()
}
