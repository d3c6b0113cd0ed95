package server

import (
	"errors"
	"time"

	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// logCall writes the one line of a call: paths and figures, never a query or a
// text. An unexpected failure adds its cause.
func (s *Server) logCall(name string, elapsed time.Duration, places []any, result any, err *toolset.Error) {
	fields := append([]any{"tool", toolset.Shorten(name), "ok", err == nil, "elapsed_ms",
		float64(elapsed.Microseconds()) / 1000}, places...)
	switch {
	case err == nil:
		s.log.Info("call", append(fields, counters(result)...)...)
	case err.Code == toolset.Internal:
		s.log.Error("call", append(fields, "code", err.Code, "cause", errors.Unwrap(err))...)
	default:
		s.log.Info("call", append(fields, "code", err.Code)...)
	}
}

// counters are the figures of a result that are worth a place in the log.
func counters(result any) []any {
	if c, ok := result.(toolset.Counter); ok {
		return c.Counters()
	}
	return nil
}
