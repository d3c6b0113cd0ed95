package adapt

import (
	"slices"
	"sync"
	"time"

	"github.com/hashicorp/go-hclog"

	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/sdk/x/guard"
)

// Options configure a recorder.
type Options struct {
	// Log receives the rows. The recorder closes it.
	Log    Journal
	Policy Policy
	// Tuning lets thresholds change. Rows are recorded in any case.
	Tuning bool `setting:"ADAPTIVE_TUNING" guest:"" default:"true" doc:"whether use moves the thresholds of widening"`
	// TTL is how long a trace lives.
	TTL    time.Duration
	Logger hclog.Logger
}

// Recorder follows each search of a session from its answer to the last use of its results, writes
// its row and maintains the thresholds. A failure to write loses a row, but never fails a search.
// It is safe for concurrent use. A nil recorder records nothing.
type Recorder struct {
	options Options
	now     func() time.Time
	rows    chan Row // to be written
	writer  guard.Group

	mu     sync.Mutex
	newest *trace // nil for none
	closed bool
	state  State
	// failure is why rows cannot be written, until Failure returns it.
	failure error
}

const (
	// startTail is the number of bytes of the file that a start reads: several hundred rows, enough for both windows
	// that thresholds are judged by, in a few milliseconds.
	startTail = 256 << 10
	// maxWaiting is the maximum number of rows in memory while the disk does not respond. Further rows are lost.
	maxWaiting = 256
)

// NewRecorder returns a recorder with thresholds from the last rows of the log. If the rows cannot
// be read, it logs the error and starts without.
func NewRecorder(o Options) *Recorder {
	r := &Recorder{options: o, now: time.Now, rows: make(chan Row, maxWaiting)}
	kept, err := o.Log.Rows(startTail)
	if err != nil {
		r.warn(err)
	}
	if !o.Tuning {
		kept = nil
	}
	t := newTuner(o.Policy, kept)
	r.state = t.state
	r.writer.Go(func() error { r.write(t); return nil })
	return r
}

// Thresholds returns the current thresholds. A search reads them once. The recorder must not be
// nil.
func (r *Recorder) Thresholds() Thresholds { return r.current().Thresholds }

func (r *Recorder) current() State {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.state
}

// Found begins the trace of a search that was just answered and ends the previous one. The recorder sets the row's
// Time, Tool, use and thresholds. candidates are all that the search kept; they are not changed.
func (r *Recorder) Found(row Row, candidates []toolset.Ref) {
	if r == nil {
		return
	}
	now := r.now()
	row.Time, row.Tool = now.Unix(), Tool
	row.Used, row.Recalled, row.Recall = 0, 0, nil
	r.mu.Lock()
	defer r.mu.Unlock()
	r.end()
	if !r.closed {
		r.newest = &trace{found: now, row: row, candidates: candidates, used: make(map[toolset.Ref]bool)}
	}
}

// Use records that a ref was read, scanned, copied or cited. It counts for the newest live trace,
// even if that had not found it. Line 0 is a whole file.
func (r *Recorder) Use(ref toolset.Ref) {
	if r == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.newest != nil && r.now().Sub(r.newest.found) > r.options.TTL {
		r.end()
	}
	if r.newest != nil {
		r.newest.use(ref)
	}
}

// Gained records the evidence that a follow-up call added, and the tokens read for it. Such a row
// changes no threshold.
func (r *Recorder) Gained(tool string, evidence, tokens int) {
	if r == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.enqueue(Row{
		Time: r.now().Unix(), Tool: tool, AddedEvidence: evidence, AddedTokens: tokens,
		MarginalGain: Gain(evidence, tokens),
	})
}

// Close ends the newest trace and waits until the rows are written.
func (r *Recorder) Close() error {
	if r == nil {
		return nil
	}
	r.mu.Lock()
	r.end()
	r.closed = true
	close(r.rows)
	r.mu.Unlock()
	_ = r.writer.Wait() // write logs failures
	return r.options.Log.Close()
}

// Failure returns why rows can no longer be written, once per outage, or nil.
func (r *Recorder) Failure() error {
	if r == nil {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	err := r.failure
	r.failure = nil
	return err
}

// end hands the row of the newest trace to the writer. The caller holds the lock.
func (r *Recorder) end() {
	if r.newest != nil {
		r.enqueue(r.newest.finish())
		r.newest = nil
	}
}

// enqueue hands a row to the writer. The caller holds the lock.
func (r *Recorder) enqueue(row Row) {
	if r.closed {
		return
	}
	select {
	case r.rows <- row:
	default:
	}
}

// write writes rows until the recorder is closed. It logs only the first of consecutive failures.
func (r *Recorder) write(t *tuner) {
	failing := false
	for row := range r.rows {
		err := guard.Call(func() error { return r.writeRow(t, row) })
		if err != nil && !failing {
			r.warn(err)
			r.mu.Lock()
			r.failure = err
			r.mu.Unlock()
		}
		failing = err != nil
	}
}

// writeRow writes a row and counts it for the thresholds.
func (r *Recorder) writeRow(t *tuner, row Row) error {
	row.State = r.current()
	rows, err := r.options.Log.Append(row)
	if err != nil || !r.options.Tuning {
		return err
	}
	for _, row := range rows {
		if row.Tool == Tool {
			t.follow(row)
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.state = t.state
	return nil
}

func (r *Recorder) warn(err error) {
	r.options.Logger.Warn("statistics cannot be kept; searches go on without", "error", err)
	guard.LogStack(r.options.Logger, err)
}

// maxUsed is the maximum number of refs that are counted for one search.
const maxUsed = 1000

// trace is a search whose use is still being counted.
type trace struct {
	found      time.Time
	row        Row
	candidates []toolset.Ref
	used       map[toolset.Ref]bool
}

// use counts a ref once.
func (t *trace) use(ref toolset.Ref) {
	if t.used[ref] || len(t.used) == maxUsed {
		return
	}
	t.used[ref] = true
	t.row.Used++
	if slices.ContainsFunc(t.candidates, func(c toolset.Ref) bool {
		return c.ManualID == ref.ManualID && c.Path == ref.Path && (c.StartLine == ref.StartLine || ref.StartLine == 0)
	}) {
		t.row.Recalled++
	}
}

// finish returns the row with its recall proxy.
func (t *trace) finish() Row {
	if t.row.Used > 0 {
		t.row.Recall = new(float64(t.row.Recalled) / float64(t.row.Used))
	}
	return t.row
}
