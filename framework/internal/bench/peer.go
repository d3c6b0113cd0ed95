package bench

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"time"
)

// peer is another search library behind a process that speaks the protocol of
// cmd/sagasu-bench/peers: JSON lines, each reply with the nanoseconds that the work took.
type peer struct{ *lines }

// Engine is one library that a peer process offers.
type Engine struct {
	Name  string `json:"name"`
	About string `json:"about"` // how it is set up, for the reader of a report
}

type peerRequest struct {
	Op       string        `json:"op"`
	Engine   string        `json:"engine,omitempty"`
	Dir      string        `json:"dir,omitempty"`
	Language string        `json:"language,omitempty"`
	Sections []peerSection `json:"sections,omitempty"`
	Text     string        `json:"text,omitempty"`
	K        int           `json:"k,omitempty"`
}

type peerSection struct {
	ID   int    `json:"id"`
	Text string `json:"text"`
}

type peerReply struct {
	Error   string   `json:"error"`
	Engines []Engine `json:"engines"`
	NS      int64    `json:"ns"`
	CPU     int64    `json:"cpu_ns"` // of all cores; 0 where it is not known
	Bytes   int64    `json:"bytes"`
	IDs     []int    `json:"ids"`
}

func startPeer(ctx context.Context, path string, args ...string) (*peer, error) {
	l, err := startLines(ctx, "the peer "+path, os.Environ(), path, args...)
	if err != nil {
		return nil, err
	}
	return &peer{l}, nil
}

func (p *peer) do(q peerRequest) (*peerReply, error) {
	if err := p.send(q); err != nil {
		return nil, err
	}
	line, err := p.receive()
	if err != nil {
		return nil, err
	}
	var r peerReply
	if err := json.Unmarshal(line, &r); err != nil {
		return nil, fmt.Errorf("%s does not speak the peers' protocol: %w", p.name, err)
	}
	if r.Error != "" {
		return nil, fmt.Errorf("%s: %s", p.name, r.Error)
	}
	return &r, nil
}

func (p *peer) engines() ([]Engine, error) {
	r, err := p.do(peerRequest{Op: "hello"})
	if err != nil {
		return nil, err
	}
	if len(r.Engines) == 0 {
		return nil, fmt.Errorf("%s offers no engine", p.name)
	}
	return r.Engines, nil
}

// loadBatch is the number of sections of one request.
const loadBatch = 500

// load hands over what is built later, so that this is not part of the building.
func (p *peer) load(units []unit) error {
	for at := 0; at < len(units); at += loadBatch {
		q := peerRequest{Op: "load"}
		for i, u := range units[at:min(at+loadBatch, len(units))] {
			q.Sections = append(q.Sections, peerSection{at + i, u.heading + "\n" + u.text})
		}
		if _, err := p.do(q); err != nil {
			return err
		}
	}
	return nil
}

// query returns the time and the ids of the best k units.
func (p *peer) query(engine, text string, k int) (time.Duration, []int, error) {
	r, err := p.do(peerRequest{Op: "query", Engine: engine, Text: text, K: k})
	if err != nil {
		return 0, nil, err
	}
	return time.Duration(r.NS), r.IDs, nil
}
