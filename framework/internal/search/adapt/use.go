package adapt

import (
	"container/list"
	"slices"
	"time"
)

// Ref is a section as statistics know it: its manual, its path and
// the line it begins at. Line 0 is the whole file, and a JSON node always.
type Ref struct {
	ManualID, Path string
	Line           int
}

// holds reports whether a search had found what was used: the section, or for a
// whole file any of its sections.
func holds(candidates []Ref, used Ref) bool {
	return slices.ContainsFunc(candidates, func(c Ref) bool {
		return c.ManualID == used.ManualID && c.Path == used.Path && (c.Line == used.Line || used.Line == 0)
	})
}

const (
	// mostUsed bounds the refs that are counted for one search.
	mostUsed = 1000
	// mostLive bounds the sessions that are followed: clients that never say
	// goodbye are many.
	mostLive = 1024
)

// trace is a search whose use is still being counted.
type trace struct {
	session    string
	found      time.Time
	row        Row
	candidates []Ref
	used       map[Ref]bool
}

// use counts a ref once.
func (t *trace) use(ref Ref) {
	if t.used[ref] || len(t.used) == mostUsed {
		return
	}
	t.used[ref] = true
	t.row.Used++
	if holds(t.candidates, ref) {
		t.row.Recalled++
	}
}

// finish is the row with its proxy.
func (t *trace) finish() Row {
	if t.row.Used > 0 {
		recall := float64(t.row.Recalled) / float64(t.row.Used)
		t.row.Recall = &recall
	}
	return t.row
}

// traces are the newest searches of the sessions.
type traces struct {
	ttl       time.Duration
	oldest    *list.List // of *trace, by age
	bySession map[string]*list.Element
}

func newTraces(ttl time.Duration) *traces {
	return &traces{ttl: ttl, oldest: list.New(), bySession: make(map[string]*list.Element)}
}

// found begins a trace and returns those that are over: the session's last, those
// that have expired, and the oldest where there are too many.
func (ts *traces) found(t *trace) []Row {
	done := append(ts.end(t.session), ts.expired(t.found)...)
	if ts.oldest.Len() == mostLive {
		done = append(done, ts.remove(ts.oldest.Front()))
	}
	ts.bySession[t.session] = ts.oldest.PushBack(t)
	return done
}

func (ts *traces) end(session string) []Row {
	if e := ts.bySession[session]; e != nil {
		return []Row{ts.remove(e)}
	}
	return nil
}

func (ts *traces) expired(now time.Time) (done []Row) {
	for e := ts.oldest.Front(); e != nil && now.Sub(e.Value.(*trace).found) > ts.ttl; e = ts.oldest.Front() {
		done = append(done, ts.remove(e))
	}
	return done
}

// all ends every trace.
func (ts *traces) all() (done []Row) {
	for e := ts.oldest.Front(); e != nil; e = ts.oldest.Front() {
		done = append(done, ts.remove(e))
	}
	return done
}

func (ts *traces) remove(e *list.Element) Row {
	t := ts.oldest.Remove(e).(*trace)
	delete(ts.bySession, t.session)
	return t.finish()
}
