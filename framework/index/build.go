package index

import (
	"context"
	"fmt"
	"time"

	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// builder is one attempt to bring an index up to date.
type builder struct {
	index    *Index
	progress func(Progress)
	begin    time.Time
	sources  *sources
	listed   time.Time // when the walk began
	report   Report
}

// list walks the manuals, again if the last walk is older than checkEvery.
func (b *builder) list(ctx context.Context) error {
	start := time.Now()
	if b.sources != nil && start.Sub(b.listed) < checkEvery {
		return nil
	}
	manuals, err := b.index.opts.Manuals(ctx)
	if err != nil {
		return err
	}
	found, err := list(ctx, manuals)
	if err != nil {
		return err
	}
	b.close()
	b.sources, b.listed = found, start
	b.report.Walk += time.Since(start)
	return nil
}

func (b *builder) close() {
	if b.sources != nil {
		b.sources.close()
	}
}

func (b *builder) tell(p Progress) {
	if b.progress != nil {
		b.progress(p)
	}
}

// build writes, checks, publishes and opens a snapshot of the listed files.
func (b *builder) build(ctx context.Context) (*snapshot.Snapshot, error) {
	dir, kind := b.index.opts.Dir, b.index.opts.Kind
	created := time.Now()
	w := snapshot.NewWriter(snapshot.ManualSchema(kind))
	defer w.Discard()
	if err := b.fill(ctx, w); err != nil {
		return nil, err
	}
	b.report.Index = time.Since(created)
	start := time.Now()
	b.tell(Progress{Phase: PhaseWrite, Done: len(b.sources.files), Total: len(b.sources.files)})
	name, err := snapshot.NextName(dir, kind)
	if err != nil {
		return nil, err
	}
	info, err := w.WriteFile(ctx, dir, snapshot.SegmentFile(name))
	if err != nil {
		return nil, fmt.Errorf("build index: %w", err)
	}
	if err := snapshot.Verify(dir, info); err != nil {
		return nil, fmt.Errorf("build index: %w", err)
	}
	m := w.Manifest(name, info)
	m.Created = created.UTC().Round(0)
	if err := snapshot.Publish(dir, m); err != nil {
		return nil, fmt.Errorf("build index: %w", err)
	}
	b.report.Write, b.report.Built = time.Since(start), true
	return snapshot.Open(dir, name, false) // verified above
}

// fill reads and cuts all files in parallel and adds them in their order.
func (b *builder) fill(ctx context.Context, w *snapshot.Writer) error {
	p := Progress{Phase: PhaseIndex, Total: len(b.sources.files)}
	last := time.Time{}
	for cut := range inOrder(ctx, b.sources.files, b.sources.cut) {
		if !cut.gone {
			add(w, cut)
		}
		p.Done, p.Bytes = p.Done+1, p.Bytes+cut.file.Size
		if time.Since(last) > tellEvery || p.Done == p.Total {
			last = time.Now()
			b.tell(p)
		}
	}
	return ctx.Err()
}

// tellEvery is the least time between two reports of progress.
const tellEvery = 50 * time.Millisecond

// add adds a file and its sections.
func add(w *snapshot.Writer, c cutFile) {
	w.AddFile(c.file)
	first := w.Len()
	for _, s := range c.sections {
		row := s.Section
		if row.Parent != snapshot.None {
			row.Parent += first
		}
		w.Add(row, []string{s.HeadingPath, s.Text})
	}
}
