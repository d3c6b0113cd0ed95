package search

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/sagasu-search/sagasu/framework/internal/fusion"
	"github.com/sagasu-search/sagasu/framework/internal/judge"
)

// storedFormat is the first byte of a stored trace. A trace of another format counts as
// expired.
const storedFormat = 3

var (
	errFormat = errors.New("the trace is of another version")
	errStored = errors.New("the trace is damaged")
)

// append appends the trace as it is stored: its small members as JSON; its candidates
// and what was left out, thousands of figures and names that are seldom asked for again, in
// binary, which takes a tenth of the time.
func (t *Trace) append(out []byte) ([]byte, error) {
	head, err := json.Marshal(t)
	if err != nil {
		return nil, err
	}
	out = append(out, storedFormat)
	out = append(binary.AppendUvarint(out, uint64(len(head))), head...)
	out = binary.AppendUvarint(out, uint64(len(t.Candidates)))
	for i := range t.Candidates {
		out = t.Candidates[i].append(out)
	}
	return append(out, t.Unscanned...), nil
}

// parseTrace reads what append wrote.
func parseTrace(data []byte) (*Trace, error) {
	if len(data) == 0 || data[0] != storedFormat {
		return nil, errFormat
	}
	r := reader{rest: data[1:]}
	t := new(Trace)
	if err := json.Unmarshal(r.bytes(r.number(len(r.rest))), t); err != nil {
		return nil, err
	}
	for n := r.number(len(r.rest)); n > 0 && !r.damaged; n-- {
		t.Candidates = append(t.Candidates, r.candidate())
	}
	if r.damaged {
		return nil, errStored
	}
	t.Unscanned = r.rest
	if _, err := t.Unscanned.files(); err != nil {
		return nil, err
	}
	if t.Graph == nil {
		t.Graph = new(judge.Graph)
	}
	return t, t.check()
}

// check fails when the graph points to a candidate that is not there.
func (t *Trace) check() error {
	for _, i := range t.Graph.Top {
		if i < 0 || i >= len(t.Candidates) {
			return fmt.Errorf("%w: candidate %d of %d", errStored, i, len(t.Candidates))
		}
	}
	return nil
}

func (c *Candidate) append(out []byte) []byte {
	out = appendTexts(out, c.ManualID, c.Path, c.Title)
	out = binary.AppendUvarint(out, uint64(c.Line))
	out = binary.AppendUvarint(out, uint64(c.EndLine))
	out = appendFloat(out, c.Score)
	out = appendTexts(binary.AppendUvarint(out, uint64(len(c.Signals))), c.Signals...)
	out = appendTexts(binary.AppendUvarint(out, uint64(len(c.Terms))), c.Terms...)
	out = binary.AppendUvarint(out, uint64(len(c.Matches)))
	for _, m := range c.Matches {
		out = binary.AppendUvarint(appendTexts(out, m.source), uint64(len(m.terms)))
		for _, t := range m.terms {
			out = binary.AppendUvarint(out, uint64(slices.Index(c.Terms, t)))
		}
	}
	out = binary.AppendUvarint(out, uint64(len(c.Contributions)))
	for i := range c.Contributions {
		x := &c.Contributions[i]
		out = binary.AppendUvarint(appendTexts(out, x.Source), uint64(x.Rank))
		out = appendFloat(appendFloat(appendFloat(out, x.Raw), x.Weight), x.Amount)
	}
	return out
}

func (r *reader) candidate() Candidate {
	c := Candidate{
		ManualID: r.text(), Path: r.text(), Title: r.text(),
		Line: r.number(math.MaxInt32), EndLine: r.number(math.MaxInt32), Score: r.float(),
		Signals: r.texts(), Terms: r.texts(),
	}
	for range r.number(len(r.rest)) {
		m := match{source: r.text()}
		for n := r.number(len(r.rest)); n > 0 && !r.damaged; n-- {
			if i := r.number(len(c.Terms)); i < len(c.Terms) {
				m.terms = append(m.terms, c.Terms[i])
			} else {
				r.damaged = true
			}
		}
		c.Matches = append(c.Matches, m)
	}
	for range r.number(len(r.rest)) {
		c.Contributions = append(c.Contributions, fusion.Contribution{
			Source: r.text(), Rank: r.number(math.MaxInt32), Raw: r.float(), Weight: r.float(), Amount: r.float(),
		})
	}
	return c
}

func appendTexts(out []byte, texts ...string) []byte {
	for _, s := range texts {
		out = append(binary.AppendUvarint(out, uint64(len(s))), s...)
	}
	return out
}

func appendFloat(out []byte, f float64) []byte {
	return binary.LittleEndian.AppendUint64(out, math.Float64bits(f))
}

func (r *reader) text() string { return string(r.bytes(r.number(len(r.rest)))) }

func (r *reader) texts() []string {
	var out []string
	for range r.number(len(r.rest)) {
		out = append(out, r.text())
	}
	return out
}

func (r *reader) float() float64 {
	b := r.bytes(8)
	if len(b) < 8 {
		r.rest, r.damaged = nil, true
		return 0
	}
	return math.Float64frombits(binary.LittleEndian.Uint64(b))
}
