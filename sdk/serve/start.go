package serve

import (
	"os"
	"runtime/debug"
	"time"

	"github.com/sagasu-search/sagasu/sdk/x/wire"
)

const (
	// startTime is how long a start counts as one.
	startTime = 2 * time.Second
	// usualGC is the share of its heap, in percent, that a strategy lets grow before
	// it collects: twice the usual, for a heap of few megabytes.
	usualGC = 200
)

// endStart lets garbage be collected as usual from the end of the start on, unless
// the process was given a rule of its own.
func endStart(after time.Duration) {
	if "GOGC="+os.Getenv("GOGC") == wire.StartGC {
		time.AfterFunc(after, func() { debug.SetGCPercent(usualGC) })
	}
}
