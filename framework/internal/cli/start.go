package cli

import (
	"os"
	"runtime/debug"
	"time"
)

const (
	// startTime is how long the start of a server counts as one.
	startTime = time.Second
	// startGC is the share of its heap, in percent, that a server lets grow before it
	// collects garbage while it starts.
	startGC = 400
)

// easeStart puts off the collection of garbage for the length of a server's start,
// which wants the cores for other work. A rule that the user gave stays.
func easeStart(length time.Duration) {
	if os.Getenv("GOGC") != "" {
		return
	}
	usual := debug.SetGCPercent(startGC)
	time.AfterFunc(length, func() { debug.SetGCPercent(usual) })
}
