package server

import (
	"errors"
	"time"
	"unicode/utf8"

	"github.com/sagasu-search/sagasu/framework/internal/logic"
	"github.com/sagasu-search/sagasu/framework/internal/manuals"
	"github.com/sagasu-search/sagasu/framework/internal/patents/lane"
	"github.com/sagasu-search/sagasu/framework/internal/search"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// logCall writes the one line of a call: paths and figures, never a query or a
// text. An unexpected failure adds its cause.
func (s *Server) logCall(name string, elapsed time.Duration, places []any, result any, err *toolset.Error) {
	fields := append([]any{"tool", short(name), "ok", err == nil, "elapsed_ms", float64(elapsed.Microseconds()) / 1000}, places...)
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
	switch r := result.(type) {
	case *search.Answer:
		return []any{
			"candidates", r.Summary.Candidates, "matched", r.Summary.Matched, "scanned_files", r.Summary.ScannedFiles,
			"scanned_nodes", r.Summary.ScannedNodes, "warnings", len(r.Warnings),
		}
	case *search.Hits:
		return []any{"kind", r.Kind, "items", len(r.Items), "total", r.Total}
	case *manuals.Listing:
		return []any{"items", len(r.Items)}
	case *manuals.Toc:
		return []any{"items", len(r.Items)}
	case *manuals.Reading:
		return []any{"chars", utf8.RuneCountInString(r.Text), "truncated", r.Truncated}
	case *search.VaultAnswer:
		return []any{"candidates", r.Summary.Candidates, "scanned_files", r.Summary.ScannedFiles, "warnings", len(r.Summary.Warnings)}
	case *lane.Handle:
		return []any{"lane", r.Lane, "hit_count", r.HitCount, "top_k", r.TopK, "warnings", len(r.Warnings)}
	case *lane.Outcomes:
		return []any{"lanes", len(r.Runs)}
	case *lane.PubIDs:
		return []any{"items", len(r.PubIDs)}
	case *lane.Result:
		return []any{"total", r.Total, "warnings", len(r.Warnings)}
	case *lane.Provenance:
		return []any{"documents", r.Documents}
	case *lane.Registered:
		return []any{"registered", r.Count, "unknown", len(r.Unknown)}
	case *lane.Snippets:
		return []any{"items", r.Returned, "total", r.Total, "truncated", r.Truncated}
	case logic.Found:
		return []any{"items", len(r.Evidence), "unresolved", len(r.UnresolvedReasons)}
	case logic.Answer:
		return []any{"status", r.Status, "items", len(r.Evidence), "spec_mismatch", r.SpecMismatch, "unknowns", len(r.Unknowns)}
	case *manuals.Scan:
		return []any{"chars", utf8.RuneCountInString(r.Text), "eof", r.EOF}
	}
	return nil
}

// placeNames are the arguments that say where a call works.
var placeNames = []string{"path", "relative_dir", "from_path", "to_path", "artifact_path", "source_path"}

// places are the paths of a call, as they were given.
func (a *Arguments) places() []any {
	if a == nil {
		return nil
	}
	var out []any
	for _, name := range placeNames {
		if n, given := a.value.find(name); given && n.kind == '"' {
			out = append(out, name, short(n.text))
		}
	}
	return out
}
