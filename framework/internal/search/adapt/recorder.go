package adapt

import (
	"sync"
	"time"

	"github.com/hashicorp/go-hclog"
)

// Options is what a recorder is made of.
type Options struct {
	// Log takes the rows. The recorder closes it.
	Log    *Log
	Policy Policy
	// Tuning lets thresholds move; without it rows are kept all the same.
	Tuning bool `setting:"ADAPTIVE_TUNING" guest:"" default:"true" doc:"whether use moves the thresholds of widening"`
	// TTL is how long a trace lives.
	TTL    time.Duration
	Logger hclog.Logger
}

// Recorder follows searches from their answer to the last use of what they
// found, writes their rows and keeps the thresholds. A failure to write costs a
// row and never a search. Safe for concurrent use. A nil recorder is switched
// off: it keeps nothing.
type Recorder struct {
	options Options
	now     func() time.Time

	mu      sync.Mutex
	live    *traces
	waiting []line // to be written
	writing bool
	closed  bool
	state   State
	writes  sync.WaitGroup

	tuner   *tuner // of the writer alone
	failing bool
}

// NewRecorder reads the last rows of the log for the thresholds. What cannot be
// read is logged and counts as no rows.
func NewRecorder(o Options) *Recorder {
	r := &Recorder{options: o, now: time.Now, live: newTraces(o.TTL), tuner: newTuner(o.Policy)}
	r.report(o.Log.Follow(r.tuner.Add))
	r.state = r.tuner.State()
	return r
}

// Thresholds are those in force; a search asks once and keeps to them. A nil
// recorder has none: ask only one that is there.
func (r *Recorder) Thresholds() Thresholds {
	if !r.options.Tuning {
		return r.options.Policy.Base.within()
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.state.Thresholds
}

// Found begins the trace of a search that was answered just now and ends the
// session's last one. The recorder sets the row's Time, Tool, use and
// thresholds. candidates are all that the search kept; they are not changed.
func (r *Recorder) Found(session string, row Row, candidates []Ref) {
	if r == nil {
		return
	}
	now := r.now()
	row.Time, row.Tool = now.Unix(), Tool
	row.Used, row.Recalled, row.Recall = 0, 0, nil
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return
	}
	r.enqueue(linesOf(r.live.found(&trace{session: session, found: now, row: row, candidates: candidates,
		used: make(map[Ref]bool)})))
}

// Use notes that a session read, scanned, copied or cited refs. They belong to
// its newest trace that lives, whether that had found them or not; without one
// they are nobody's.
func (r *Recorder) Use(session string, refs ...Ref) {
	if r == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.enqueue(linesOf(r.live.expired(r.now())))
	if e := r.live.bySession[session]; e != nil {
		for _, ref := range refs {
			e.Value.(*trace).use(ref)
		}
	}
}

// Gained records what a call that reads on added: evidence, and the tokens read for it.
func (r *Recorder) Gained(tool string, evidence, tokens int) {
	if r == nil {
		return
	}
	row := GainRow{
		Time: r.now().Unix(), Tool: tool, AddedEvidence: evidence, AddedTokens: tokens,
		MarginalGain: Gain(evidence, tokens),
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.enqueue([]line{row})
}

// Close ends every session and waits until their rows are written.
func (r *Recorder) Close() error {
	if r == nil {
		return nil
	}
	r.mu.Lock()
	r.enqueue(linesOf(r.live.all()))
	r.closed = true
	r.mu.Unlock()
	r.writes.Wait()
	return r.options.Log.Close()
}

// mostWaiting bounds the rows in memory while the disk does not answer.
const mostWaiting = 10_000

// enqueue hands rows to the writer. The caller holds the lock.
func (r *Recorder) enqueue(rows []line) {
	if len(rows) == 0 || r.closed || len(r.waiting)+len(rows) > mostWaiting {
		return
	}
	r.waiting = append(r.waiting, rows...)
	if !r.writing {
		r.writing = true
		r.writes.Go(r.write)
	}
}

// write writes what is waiting until nothing is. There is one at a time.
func (r *Recorder) write() {
	for {
		r.mu.Lock()
		rows := r.waiting
		r.waiting, r.writing = nil, len(rows) > 0
		r.mu.Unlock()
		if len(rows) == 0 {
			return
		}
		for _, row := range rows {
			if search, ok := row.(Row); ok {
				search.State = r.current()
				row = search
			}
			err := r.options.Log.Append(row)
			if err == nil {
				err = r.options.Log.Follow(r.tuner.Add)
			}
			r.report(err)
		}
		r.mu.Lock()
		r.state = r.tuner.State()
		r.mu.Unlock()
	}
}

// current is the state that a row records: without tuning, the base.
func (r *Recorder) current() State {
	if base := r.options.Policy.Base.within(); !r.options.Tuning {
		return State{Thresholds: base, Base: base}
	}
	return r.tuner.State()
}

// report logs the first failure of a row of failures.
func (r *Recorder) report(err error) {
	if err != nil && !r.failing {
		r.options.Logger.Warn("statistics cannot be kept; searches go on without", "error", err)
	}
	r.failing = err != nil
}
