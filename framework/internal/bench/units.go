package bench

import (
	"cmp"
	"context"
	"runtime"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/eval"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/text"
)

// unit is a section as every library gets it: cut once, by us.
type unit struct {
	target        eval.Target
	heading, text string
}

// cut cuts all files on all cores and says how long that took.
func cut(ctx context.Context, files []File) ([][]corpus.Section, time.Duration, error) {
	begin := time.Now()
	out := make([][]corpus.Section, len(files))
	var g errgroup.Group
	g.SetLimit(runtime.GOMAXPROCS(0))
	for i, f := range files {
		if ctx.Err() != nil {
			break
		}
		g.Go(func() error { out[i] = corpus.Cut(f.Path, f.Text); return nil })
	}
	return out, time.Since(begin), cmp.Or(g.Wait(), ctx.Err())
}

// unitsOf lists the sections in the order in which [writeIndex] numbers them.
func unitsOf(files []File, sections [][]corpus.Section) []unit {
	var out []unit
	for i, f := range files {
		for _, s := range sections[i] {
			out = append(out, unit{
				target:  eval.Target{ManualID: f.Manual, Path: f.Path, StartLine: s.Start, Heading: s.Title},
				heading: s.HeadingPath, text: s.Text,
			})
		}
	}
	return out
}

// writeIndex builds and publishes a snapshot of sections that are cut already,
// synced to disk, and gives its name and size in bytes.
func writeIndex(ctx context.Context, dir string, files []File, sections [][]corpus.Section) (string, int64, error) {
	w := snapshot.NewWriter(snapshot.ManualSchema(snapshot.KindManual))
	defer w.Discard()
	for i, f := range files {
		w.AddFile(snapshot.File{Group: f.Manual, Path: f.Path, Size: int64(len(f.Text))})
		first := w.Len()
		for _, s := range sections[i] {
			row := s.Section
			if row.Parent != snapshot.None {
				row.Parent += first
			}
			w.Add(row, []string{s.HeadingPath, s.Text})
		}
	}
	name, err := snapshot.NextName(dir, snapshot.KindManual)
	if err != nil {
		return "", 0, err
	}
	info, err := w.WriteFile(ctx, dir, snapshot.SegmentFile(name))
	if err != nil {
		return "", 0, err
	}
	return name, info.Bytes, snapshot.Publish(dir, w.Manifest(name, info))
}

// languageOf says which of the peers' analyzers fits: ja where a tenth of the
// sections' headings or texts hold a CJK character.
func languageOf(units []unit) string {
	n := 0
	for _, u := range units {
		if text.HasCJK(u.heading) || text.HasCJK(u.text[:min(len(u.text), 1000)]) {
			n++
		}
	}
	if 10*n >= len(units) {
		return "ja"
	}
	return "en"
}
