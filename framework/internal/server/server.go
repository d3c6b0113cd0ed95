package server

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/VictoriaMetrics/metrics"
	"github.com/hashicorp/go-hclog"

	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/sdk/x/guard"
	"github.com/sagasu-search/sagasu/sdk/x/rest"
)

// Options configure a server.
type Options struct {
	// Sets are the open toolsets.
	Sets []toolset.Toolset

	Toolsets   []string   // nil or empty switches on every toolset
	ReadOnly   bool       // leaves out every tool that writes
	ResultForm ResultForm // "" means both
	Version    string     // of sagasu, as clients see it
	Logger     hclog.Logger
}

// Server answers tool calls. Safe for concurrent use.
type Server struct {
	sets    []toolset.Toolset
	tools   []toolset.Tool
	off     map[string]string // why tools are switched off, by name
	form    ResultForm
	version string
	log     hclog.Logger
	figures *metrics.Set // of the calls
	idle    *rest.Timer  // nil for none

	audience audience
}

// New registers the tools that the options switch on.
func New(o Options) *Server {
	s := &Server{sets: o.Sets, form: o.ResultForm, version: o.Version, log: o.Logger, off: map[string]string{},
		figures: metrics.NewSet()}
	if s.log == nil {
		s.log = hclog.NewNullLogger()
	}
	for _, set := range o.Sets {
		for _, t := range set.Tools {
			switch {
			case t.Off != "":
				s.off[t.Name] = t.Off
			case o.ReadOnly && !t.Hints.ReadOnly:
				s.off[t.Name] = "it writes, and READ_ONLY is set"
			default:
				s.tools = append(s.tools, t)
			}
		}
	}
	s.Limit(o.Toolsets)
	return s
}

// Limit keeps only the tools of the given toolsets; without any it keeps all.
func (s *Server) Limit(toolsets []string) {
	s.tools = slices.DeleteFunc(s.tools, func(t toolset.Tool) bool {
		other := len(toolsets) > 0 && !slices.Contains(toolsets, t.Group)
		if other {
			s.off[t.Name] = fmt.Sprintf("it belongs to the toolset %s; switched on, by TOOLSETS or by what the "+
				"workspace holds at the start, are: %s; sagasu doctor shows the folders that are looked at",
				t.Group, strings.Join(toolsets, ", "))
		}
		return other
	})
}

// Note lets a timer know about the calls under way. Call it before any tool call.
func (s *Server) Note(idle *rest.Timer) { s.idle = idle }

// Tools lists the tools that are switched on.
func (s *Server) Tools() []toolset.Tool { return slices.Clone(s.tools) }

// Call answers one call and logs it. The result can be encoded as a JSON object. raw may be empty; session is nil for a
// call without one. A panic of the tool becomes a failure.
func (s *Server) Call(ctx context.Context, name string, raw json.RawMessage, session *toolset.Session,
) (result any, failed *toolset.Error) {
	defer s.idle.Begin()()
	started := time.Now()
	var paths []any
	tool, ok := s.tool(name)
	if ok {
		defer s.watch(ctx, name)()
		result, paths, failed = tool.Call(toolset.WithSession(ctx, session), raw)
	} else {
		failed = s.unknownTool(name)
	}
	elapsed := time.Since(started)
	s.logCall(name, elapsed, paths, result, failed)
	s.count(tool.Name, elapsed, failed)
	return result, failed
}

// hangTime is how long a call may continue after its context has ended before the log names it. It is short because the
// process may end soon.
const hangTime = 500 * time.Millisecond

// watch logs that a call continues although its context has ended. The returned function ends the watch.
func (s *Server) watch(ctx context.Context, tool string) (answered func()) {
	done := make(chan struct{})
	forget := context.AfterFunc(ctx, func() {
		select {
		case <-done:
		case <-time.After(hangTime):
			s.log.Error("the call does not end", "tool", tool, "after_ms", hangTime.Milliseconds())
		}
	})
	return func() {
		forget()
		close(done)
	}
}

func (s *Server) tool(name string) (toolset.Tool, bool) {
	i := slices.IndexFunc(s.tools, func(t toolset.Tool) bool { return t.Name == name })
	if i < 0 {
		return toolset.Tool{}, false
	}
	return s.tools[i], true
}

func (s *Server) unknownTool(name string) *toolset.Error {
	names := []string{}
	for _, t := range s.tools {
		names = append(names, t.Name)
	}
	if why := s.off[name]; why != "" {
		return toolset.Errorf(toolset.NotAvailable, "%s is switched off: %s", name, why).Argument("name", name, names)
	}
	name = toolset.Shorten(name)
	err := toolset.Errorf(toolset.NotFound, "there is no tool %q; call one of those listed", name)
	if close := toolset.DidYouMean(name, names, 3); len(close) > 0 {
		err = toolset.Errorf(toolset.NotFound,
			"there is no tool %q; did you mean %s?", name, close[0]).With("did_you_mean", close)
	}
	return err.Argument("name", name, names)
}

// logCall writes one log line per call: paths and counts, never a query or a text. For an unexpected failure it adds
// the cause.
func (s *Server) logCall(name string, elapsed time.Duration, paths []any, result any, err *toolset.Error) {
	fields := append([]any{"tool", toolset.Shorten(name), "ok", err == nil, "elapsed_ms",
		float64(elapsed.Microseconds()) / 1000}, paths...)
	counter, counts := result.(toolset.Counter)
	switch {
	case err == nil && counts:
		s.log.Info("call", append(fields, counter.Counters()...)...)
	case err == nil:
		s.log.Info("call", fields...)
	case err.Code == toolset.Internal:
		s.log.Error("call", append(fields, "code", err.Code, "cause", errors.Unwrap(err))...)
		guard.LogStack(s.log, err)
	default:
		s.log.Info("call", append(fields, "code", err.Code)...)
	}
}

// count counts a call of a tool; "" stands for a tool that does not exist.
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

// WriteMetrics writes the metrics of the calls so far in the Prometheus text format.
func (s *Server) WriteMetrics(w io.Writer) { s.figures.WritePrometheus(w) }
