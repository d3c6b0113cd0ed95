package mcpserver

import (
	"errors"
	"time"
	"unicode/utf8"

	"github.com/sagasu-search/sagasu/framework/fault"
	"github.com/sagasu-search/sagasu/framework/find"
	"github.com/sagasu-search/sagasu/framework/manual"
)

// logCall writes the one line of a call: figures only, never a query or a text.
// An unexpected failure adds its cause.
func (s *Server) logCall(name string, elapsed time.Duration, result any, err *fault.Error) {
	fields := []any{"tool", short(name), "ok", err == nil, "elapsed_ms", float64(elapsed.Microseconds()) / 1000}
	switch {
	case err == nil:
		s.log.Info("call", append(fields, counters(result)...)...)
	case err.Code == fault.Internal:
		s.log.Error("call", append(fields, "code", err.Code, "cause", errors.Unwrap(err))...)
	default:
		s.log.Info("call", append(fields, "code", err.Code)...)
	}
}

// counters are the figures of a result that are worth a place in the log.
func counters(result any) []any {
	switch r := result.(type) {
	case *find.Answer:
		return []any{
			"candidates", r.Summary.Candidates, "matched", r.Summary.Matched, "scanned_files", r.Summary.ScannedFiles,
			"scanned_nodes", r.Summary.ScannedNodes, "warnings", len(r.Warnings),
		}
	case *find.Hits:
		return []any{"kind", r.Kind, "items", len(r.Items), "total", r.Total}
	case *manual.Listing:
		return []any{"items", len(r.Items)}
	case *manual.Toc:
		return []any{"items", len(r.Items)}
	case *manual.Reading:
		return []any{"chars", utf8.RuneCountInString(r.Text), "truncated", r.Truncated}
	case *manual.Scan:
		return []any{"chars", utf8.RuneCountInString(r.Text), "eof", r.EOF}
	}
	return nil
}
