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
	Tuning bool
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

	mu       sync.Mutex
	live     *traces
	waiting  []line // to be written
	writing  bool
	closed   bool
	standing Standing
	writes   sync.WaitGroup

	machine *Machine // of the writer alone
	failing bool
}

// NewRecorder reads the last rows of the log for the thresholds. What cannot be
// read is logged and counts as no rows.
func NewRecorder(o Options) *Recorder {
	r := &Recorder{options: o, now: time.Now, live: newTraces(o.TTL), machine: NewMachine(o.Policy)}
	r.report(o.Log.Follow(r.machine.Add))
	r.standing = r.machine.Standing()
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
	return r.standing.Thresholds
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
	r.enqueue(linesOf(r.live.found(&trace{session: session, found: now, row: row, candidates: candidates, used: make(map[Ref]bool)})))
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

// End ends a session: its trace takes no more use.
func (r *Recorder) End(session string) {
	if r == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.enqueue(linesOf(r.live.end(session)))
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
				search.Standing = r.stands()
				row = search
			}
			err := r.options.Log.append(row)
			if err == nil {
				err = r.options.Log.Follow(r.machine.Add)
			}
			r.report(err)
		}
		r.mu.Lock()
		r.standing = r.machine.Standing()
		r.mu.Unlock()
	}
}

// stands is what a row tells of the thresholds: without tuning, that they are
// at their base.
func (r *Recorder) stands() Standing {
	if base := r.options.Policy.Base.within(); !r.options.Tuning {
		return Standing{Thresholds: base, Base: base}
	}
	return r.machine.Standing()
}

// report logs the first failure of a row of failures.
func (r *Recorder) report(err error) {
	if err != nil && !r.failing {
		r.options.Logger.Warn("statistics cannot be kept; searches go on without", "error", err)
	}
	r.failing = err != nil
}
