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
	*lines
	id int
}

// startServer starts a server and shakes hands.
func startServer(ctx context.Context, binary string, h *Home) (*server, error) {
	l, err := startLines(ctx, "sagasu mcp", h.Environ(), binary, "mcp", "--log-level", "error")
	if err != nil {
		return nil, err
	}
	s := &server{lines: l}
	_, err = s.request("initialize", map[string]any{
		"protocolVersion": "2025-11-25", "capabilities": map[string]any{}, "clientInfo": map[string]any{"name": "bench",
			"version": "1"},
	})
	if err == nil {
		err = s.send(map[string]any{"jsonrpc": "2.0", "method": "notifications/initialized"})
	}
	if err != nil {
		_ = s.close() // why it failed says more
		return nil, err
	}
	return s, nil
}

// request sends a request and waits for its result, past notifications.
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

// found is what a run looks at of an answer.
type found struct {
	TraceID string `json:"trace_id"`
	Summary struct {
		Candidates int `json:"candidates"`
		Matched    int `json:"matched"`
		// ScannedNodes are the sections that were searched.
		ScannedNodes int `json:"scanned_nodes"`
	} `json:"summary"`
	Warnings []string `json:"warnings"`
}

func (f *found) partial() bool { return slices.Contains(f.Warnings, "indexing") }

// timed calls a tool: the time is from before the request is written until its
// reply is read, before it is decoded.
func (s *server) timed(tool string, arguments map[string]any, result any) (time.Duration, error) {
	begin := time.Now()
	raw, err := s.request("tools/call", map[string]any{"name": tool, "arguments": arguments})
	took := time.Since(begin)
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

// find searches without the cache and lets the search's afterwork end, as the
// next call of an agent does, before it returns.
func (s *server) find(query string) (time.Duration, *found, error) {
	var f found
	took, err := s.timed("manual_find", map[string]any{"query": query, "use_cache": false}, &f)
	if err != nil {
		return 0, nil, err
	}
	_, err = s.hits(f.TraceID, 1)
	return took, &f, err
}

// hits lists the first rows of a trace as they came.
func (s *server) hits(trace string, limit int) ([]json.RawMessage, error) {
	var h struct {
		Items []json.RawMessage `json:"items"`
	}
	_, err := s.timed("manual_hits", map[string]any{"trace_id": trace, "kind": "candidates", "limit": limit}, &h)
	return h.Items, err
}
