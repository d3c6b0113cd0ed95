package serve

import (
	"io"
	"os"

	"github.com/sagasu-search/sagasu/sdk/x/wire"
)

// holdLeash ends the process when its stdin ends: the host holds the other end
// of that pipe, so it ends with the host however the host ends. Only the host
// arms it; under a debugger stdin means nothing.
func holdLeash() {
	if os.Getenv(wire.EnvLeash) != "stdin" {
		return
	}
	leash := os.Stdin
	if null, err := os.Open(os.DevNull); err == nil {
		os.Stdin = null // the author's code must not read the leash
	}
	go func() {
		_, _ = io.Copy(io.Discard, leash)
		os.Exit(0)
	}()
}
