package bench

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"
)

// server is `sagasu mcp` as a client sees it, over its standard input and output.
type server struct {
	*process
	id int
}

// startServer starts a server and initializes the session.
func startServer(ctx context.Context, binary string, h *Home) (*server, error) {
	p, err := startProcess(ctx, "sagasu mcp", h.environ(), binary, "mcp", "--log-level", "error")
	if err != nil {
		return nil, err
	}
	s := &server{process: p}
	_, err = s.request("initialize", map[string]any{
		"protocolVersion": "2025-11-25", "capabilities": map[string]any{},
		"clientInfo": map[string]any{"name": "bench", "version": "1"},
	})
	if err == nil {
		err = s.send(map[string]any{"jsonrpc": "2.0", "method": "notifications/initialized"})
	}
	if err != nil {
		_ = s.close() // the other error says more
		return nil, err
	}
	return s, nil
}

// request sends a request and waits for its result, ignoring notifications.
func (s *server) request(method string, params any) (json.RawMessage, error) {
	s.id++
	if err := s.send(map[string]any{"jsonrpc": "2.0", "id": s.id, "method": method, "params": params}); err != nil {
		return nil, err
	}
	for {
		line, err := s.receive()
		if err != nil {
			return nil, err
		}
		var reply struct {
			ID            *int
			Result, Error json.RawMessage
		}
		if err := json.Unmarshal(line, &reply); err != nil {
			return nil, fmt.Errorf("%s: not JSON: %w", s.name, err)
		}
		switch {
		case reply.ID == nil || *reply.ID != s.id:
			continue
		case reply.Error != nil:
			return nil, fmt.Errorf("%s: %s: %s", s.name, method, reply.Error)
		}
		return reply.Result, nil
	}
}

// call calls a tool. The time is from before the request is written until its reply is read, before result is decoded.
func (s *server) call(tool string, arguments, result any) (time.Duration, error) {
	began := time.Now()
	raw, err := s.request("tools/call", map[string]any{"name": tool, "arguments": arguments})
	took := time.Since(began)
	if err != nil {
		return 0, err
	}
	var reply struct {
		IsError           bool
		StructuredContent json.RawMessage
	}
	if err := json.Unmarshal(raw, &reply); err != nil {
		return 0, fmt.Errorf("%s: %w", tool, err)
	}
	if reply.IsError {
		return 0, fmt.Errorf("%s: %s", tool, reply.StructuredContent)
	}
	if err := json.Unmarshal(reply.StructuredContent, result); err != nil {
		return 0, fmt.Errorf("%s: %w", tool, err)
	}
	return took, nil
}

// findArguments are the arguments of manual_find that a run uses.
type findArguments struct {
	Query    string         `json:"query"`
	ManualID string         `json:"manual_id,omitempty"`
	UseCache bool           `json:"use_cache"`
	Expand   bool           `json:"expand_scope"`
	Budget   map[string]int `json:"budget,omitempty"`
}

// found holds the parts of an answer that a run uses.
type found struct {
	TraceID string `json:"trace_id"`
	Summary struct {
		Matched      int `json:"matched"`
		ScannedNodes int `json:"scanned_nodes"` // sections that were searched
	} `json:"summary"`
	Warnings []string `json:"warnings"`
}

// find searches and, before it returns, lets the work that the search leaves behind end with a further call, as an
// agent does.
func (s *server) find(query string, useCache bool) (time.Duration, error) {
	var f found
	took, err := s.call("manual_find", findArguments{Query: query, UseCache: useCache, Expand: true}, &f)
	if err != nil {
		return 0, err
	}
	_, err = s.call("manual_hits", map[string]any{"trace_id": f.TraceID, "kind": "candidates", "limit": 1}, &struct{}{})
	return took, err
}

// uncached is [server.find] without the cache.
func (s *server) uncached(query string) (time.Duration, error) { return s.find(query, false) }

// indexTime is how long a search waits for a complete index, in milliseconds.
const indexTime = 3_600_000

// complete searches until the index is complete and returns the number of sections.
func (s *server) complete(query string) (sections int, err error) {
	for {
		var f found
		_, err := s.call("manual_find",
			findArguments{Query: query, Expand: true, Budget: map[string]int{"time_ms": indexTime}}, &f)
		if err != nil {
			return 0, err
		}
		if !slices.Contains(f.Warnings, "indexing") {
			return f.Summary.ScannedNodes, nil
		}
	}
}

// serve starts a binary as a server in a home, waits for its index and returns the number of sections.
func (r *run) serve(binary string, h *Home) (*server, int, error) {
	s, err := startServer(r.ctx, binary, h)
	if err != nil {
		return nil, 0, err
	}
	sections, err := s.complete(r.Queries[0].Query)
	if err != nil {
		_ = s.close() // the other error says more
		return nil, 0, err
	}
	return s, sections, nil
}
