package server

import (
	"cmp"
	"fmt"
	"io"
	"time"

	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// count counts a call of a tool, "" for one that does not exist.
func (s *Server) count(tool string, elapsed time.Duration, failed *toolset.Error) {
	tool = cmp.Or(tool, "unknown")
	code := "ok"
	if failed != nil {
		code = string(failed.Code)
	}
	s.figures.GetOrCreateCounter(fmt.Sprintf("sagasu_calls_total{tool=%q,code=%q}", tool, code)).Inc()
	s.figures.GetOrCreatePrometheusHistogram(fmt.Sprintf("sagasu_call_duration_seconds{tool=%q}", tool)).
		Update(elapsed.Seconds())
}

// WriteMetrics writes the figures of the calls so far, in the text form of Prometheus.
func (s *Server) WriteMetrics(w io.Writer) { s.figures.WritePrometheus(w) }
