package index

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"time"

	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/x/guard"
)

const (
	// progressEvery is the minimum time between two progress reports.
	progressEvery = 50 * time.Millisecond
	// maxTries is how often a build is tried when its directory is damaged.
	maxTries = 3
)

// errRemoved ends a build whose lock is no longer valid.
var errRemoved = errors.New("the index directory was removed while the index was built")

// errBusy ends an update that waited too long for another process.
var errBusy = errors.New("another process is building it and takes long")

// pace controls when a long build publishes parts.
type pace struct {
	after time.Duration // of work
	rest  int64         // minimum remaining bytes for a part to be published
	// most is the maximum size in bytes of the files or records in memory before they become a segment. A larger
	// file that is cut as a whole becomes a segment by itself. 0 means no limit.
	most int64
	// other is how long an update waits for another process that builds, if there is something to search.
	other time.Duration
}

// usualPace lets a small build end before a part of it is published.
var usualPace = pace{after: 300 * time.Millisecond, rest: 4 << 20, most: 48 << 20, other: 10 * time.Second}

// builder is one attempt to bring an index up to date.
type builder struct {
	index     *Index
	force     bool // all files again, in one segment where memory allows
	progress  func(Progress)
	begin     time.Time
	changes   *changes
	lock      *fileLock // the builder's lock
	report    Report
	announced time.Time // time of the last progress report

	part     *part
	keys     map[string]bool    // of the records added in this try
	refused  map[string]Refusal // refused records, by file, as of the last read
	rest     int64              // bytes of the remaining files
	lastPart int64              // bytes of the last part published
}

// part is the next segment under construction.
type part struct {
	writer *snapshot.Writer
	files  []snapshot.File
	begin  time.Time
	bytes  int64 // of files

	before []snapshot.SegmentInfo // already written, of a file that continues in writer
	held   int64                  // bytes of records in writer
}

// update brings the current snapshot up to date. The caller holds the update lock.
func (x *Index) update(ctx context.Context, force bool, progress func(Progress)) (Report, error) {
	x.watch()
	b := &builder{index: x, force: force, progress: progress, begin: time.Now(), refused: map[string]Refusal{}}
	defer b.close()
	d := x.takePending()
	d.all = d.all || force
	err := guard.Call(func() error { return b.run(ctx, d) })
	x.setUnwritten(err)
	if err != nil {
		x.addPending(pendingChanges{all: true})
		x.setSkipped()
		return Report{}, err
	}
	x.setSkipped()
	x.mu.Lock()
	x.checked, x.unindexed = time.Now(), nil
	x.mu.Unlock()
	x.saveChecked()
	x.mergeLater()
	return x.report(b), nil
}

// run looks for changes and builds if there are any. It starts over if the index directory is
// removed or damaged in the meantime.
func (b *builder) run(ctx context.Context, d pendingChanges) (err error) {
	for range maxTries {
		err = b.try(ctx, d)
		_, damaged := errors.AsType[*snapshot.CorruptError](err)
		if !damaged && !errors.Is(err, errRemoved) {
			break
		}
	}
	return err
}

// lockBuilder waits for another process that builds. That process may hang on a document, so it gives up after a
// while, unless the user requested a build.
func (b *builder) lockBuilder(ctx context.Context) (lock *fileLock, waited bool, err error) {
	if !b.force && b.index.usable() {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, b.index.pace.other, errBusy)
		defer cancel()
	}
	return b.index.lockBuilder(ctx)
}

func (b *builder) try(ctx context.Context, d pendingChanges) error {
	_ = b.index.follow() // damage is repaired once the lock is held
	differ, err := b.look(ctx, d)
	if err != nil || !differ {
		return err
	}
	b.announce(Progress{Phase: PhaseWalk})
	before := b.index.base()
	lock, waited, err := b.lockBuilder(ctx)
	if err != nil {
		return b.index.unwritten(err)
	}
	defer b.index.unlock(lock)
	broken := b.index.follow()
	if waited || b.index.base() != before { // others have built meanwhile
		if differ, err = b.look(ctx, d); err != nil || !differ {
			return err
		}
	}
	b.index.repair(broken)
	defer b.index.retire()
	b.lock = lock
	err = b.build(ctx)
	if errors.Is(err, fs.ErrNotExist) || err != nil && !lock.valid() {
		return fmt.Errorf("%w: %w", errRemoved, err)
	}
	return b.index.unwritten(err)
}

// look finds the changes at d and reports whether there are any.
func (b *builder) look(ctx context.Context, d pendingChanges) (bool, error) {
	start := time.Now()
	b.close()
	var err error
	if b.changes, err = b.index.findChanges(ctx, d, b.force); err != nil {
		return false, err
	}
	differ, err := b.index.confirmChanges(ctx, b.changes)
	b.report.Walk += Span(time.Since(start))
	b.index.setUnindexed(b.changes.candidates)
	return differ || b.force, err
}

func (b *builder) close() {
	if b.changes != nil {
		b.changes.reader.close()
	}
	if b.part != nil {
		b.part.writer.Discard()
	}
}

func (b *builder) announce(p Progress) {
	if b.progress != nil {
		b.progress(p)
	}
}

// build reads, cuts and adds the candidates in order and publishes them: the first part after a
// short while, then parts of doubling size, so that the index can be searched during a long build.
func (b *builder) build(ctx context.Context) error {
	todo, p := b.changes.candidates, Progress{Phase: PhaseIndex, Total: len(b.changes.candidates)}
	b.rest, b.lastPart, b.keys = 0, 0, map[string]bool{}   // parts published by an earlier try are kept
	slices.SortStableFunc(todo, func(a, c candidate) int { // documents take longest
		return cmp.Compare(b.slower(&a), b.slower(&c))
	})
	for _, c := range todo {
		b.rest += b.weight(&c)
	}
	b.startPart()
	if p.Phase = b.phase(todo); p.Phase == PhaseConvert { // the first document may take long
		b.announce(p)
	}
	for cut, err := range inOrder(ctx, todo, func(c candidate) cutFile { return b.changes.reader.cut(ctx, c) }) {
		if err != nil {
			return err
		}
		if err := b.add(ctx, cut, p); err != nil {
			return err
		}
		p.Done, p.Bytes = p.Done+1, p.Bytes+cut.Size
		turned := p.Done < p.Total && p.Phase != b.phase(todo[p.Done:])
		if turned {
			p.Phase, b.announced = b.phase(todo[p.Done:]), time.Time{}
		}
		if p.Done == p.Total {
			b.announced = time.Time{}
		}
		b.announceLater(p)
		if !b.due(turned) {
			continue
		}
		if err := b.publish(ctx, todo[p.Done:]); err != nil {
			return err
		}
		b.force = false // the snapshot published now is part of the new index
		b.startPart()
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	b.report.Index = Span(time.Since(b.begin)) - b.report.Walk
	if !b.force && b.index.lease().complete() && len(b.part.files) == 0 && len(b.changes.gone) == 0 {
		return nil
	}
	p.Phase = PhaseWrite
	b.announce(p)
	return b.publish(ctx, nil)
}

func (b *builder) startPart() {
	b.part = &part{writer: b.newWriter(), begin: time.Now()}
}

func (b *builder) newWriter() *snapshot.Writer {
	w := snapshot.NewWriter(b.index.schema)
	w.SetCreated(b.begin)
	return w
}

// add adds a file and its sections to the part. p is the progress of the build.
func (b *builder) add(ctx context.Context, c cutFile, p Progress) error {
	b.rest -= b.weight(&c.candidate)
	k := key{c.Group, c.Path}
	switch {
	case c.missing:
		if c.old {
			b.changes.gone[k] = true
		}
		return nil
	case c.same():
		b.index.recheck(c.File, b.begin)
		delete(b.changes.queued, k)
		return nil
	}
	w := b.part.writer
	w.AddFile(c.File)
	b.part.files = append(b.part.files, c.File)
	b.part.bytes += c.Size
	if b.changes.reader.records != nil {
		return b.addRecords(ctx, c.File, p)
	}
	if c.rows == nil {
		return nil
	}
	first := w.Len()
	for row := range c.rows {
		if row.Parent != snapshot.None {
			row.Parent += first
		}
		w.Add(row.Section, row.Fields, row.Keywords...)
	}
	return nil
}

// phase returns the phase of the first remaining file.
func (b *builder) phase(left []candidate) Phase {
	if len(left) > 0 && b.changes.reader.converts(&left[0].File) {
		return PhaseConvert
	}
	return PhaseIndex
}

// documentWeight is the time per byte of a document, relative to text.
const documentWeight = 20

// slower returns the time per byte of a file, relative to text.
func (b *builder) slower(c *candidate) int64 {
	if b.changes.reader.converts(&c.File) {
		return documentWeight
	}
	return 1
}

// weight returns the time for a file, in bytes of text.
func (b *builder) weight(c *candidate) int64 { return b.slower(c) * c.Size }

// due reports whether to publish the part although files remain. turned says that documents follow, for which text
// does not wait.
func (b *builder) due(turned bool) bool {
	if most := b.index.pace.most; most > 0 && b.rest > 0 && b.part.bytes >= most {
		return true
	}
	if b.force || !b.index.opts.Live || len(b.part.files) == 0 {
		return false
	}
	if turned || b.rest < b.index.pace.rest {
		return turned
	}
	if b.lastPart > 0 {
		return b.part.bytes >= 2*b.lastPart
	}
	return time.Since(b.part.begin) >= b.index.pace.after
}
