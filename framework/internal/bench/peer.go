package bench

import (
	"encoding/json"
	"fmt"
	"os"
	"time"
)

// peer is another search library behind a process that speaks the protocol of
// cmd/sagasu-bench/peers: JSON lines, each reply with the nanoseconds that the work took.
type peer struct{ *process }

// engine is one library that a peer process offers.
type engine struct {
	Name  string `json:"name"`
	About string `json:"about"` // its setup, for the reader of a report
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
	Engines []engine `json:"engines"`
	NS      int64    `json:"ns"`
	Bytes   int64    `json:"bytes"`
	IDs     []uint32 `json:"ids"`
}

// startPeer starts the peer and asks for its engines.
func (r *run) startPeer() error {
	if len(r.Peer) == 0 {
		r.report.Notes = append(r.report.Notes,
			"not measured: peers; build cmd/sagasu-bench/peers and name it with --peers")
		return nil
	}
	started, err := startProcess(r.ctx, "the peer "+r.Peer[0], os.Environ(), r.Peer[0], r.Peer[1:]...)
	if err != nil {
		return err
	}
	p := &peer{started}
	reply, err := p.do(peerRequest{Op: "hello"})
	if err != nil {
		_ = p.close() // the other error says more
		return err
	}
	r.peer, r.engines = p, reply.Engines
	for _, e := range r.engines {
		r.report.Notes = append(r.report.Notes, e.Name+": "+e.About)
	}
	return nil
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

// loadBatch is the number of sections per request.
const loadBatch = 500

// load hands over the sections beforehand, so that this is not timed as part of a build.
func (p *peer) load(texts []string) error {
	for first := 0; first < len(texts); first += loadBatch {
		q := peerRequest{Op: "load"}
		for i, t := range texts[first:min(first+loadBatch, len(texts))] {
			q.Sections = append(q.Sections, peerSection{first + i, t})
		}
		if _, err := p.do(q); err != nil {
			return err
		}
	}
	return nil
}

// query returns the time of a query and the ids of the best k sections.
func (p *peer) query(engine, text string, k int) (time.Duration, []uint32, error) {
	r, err := p.do(peerRequest{Op: "query", Engine: engine, Text: text, K: k})
	if err != nil {
		return 0, nil, err
	}
	return time.Duration(r.NS), r.IDs, nil
}
