package bench

import (
	"context"
	"errors"
	"fmt"
	"runtime"

	"golang.org/x/sync/errgroup"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/eval"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/text"
)

// File is a file of the manuals as read.
type File struct {
	Manual, Path string
	Text         []byte
}

// Read reads the searchable files of manuals, in order of manual and path. Like an index, it leaves out files that are
// not text or too large.
func Read(ctx context.Context, manuals []corpus.Manual) ([]File, error) {
	var out []File
	for _, m := range manuals {
		files, _, err := corpus.Walk(ctx, m)
		if err != nil {
			return nil, err
		}
		for _, f := range files {
			read, err := corpus.Open(ctx, m, f.Path)
			if _, refused := errors.AsType[*toolset.Error](err); refused || len(read.Text) > corpus.MaxSize {
				continue
			}
			if err != nil {
				return nil, fmt.Errorf("read %s/%s: %w", m.ID, f.Path, err)
			}
			out = append(out, File{Manual: m.ID, Path: f.Path, Text: read.Text})
		}
	}
	return out, ctx.Err()
}

// cut cuts all files on all cores.
func cut(files []File) [][]corpus.Section {
	out := make([][]corpus.Section, len(files))
	var g errgroup.Group
	g.SetLimit(runtime.GOMAXPROCS(0))
	for i, f := range files {
		g.Go(func() error { out[i] = corpus.Cut(f.Path, f.Text); return nil })
	}
	_ = g.Wait() // cutting cannot fail
	return out
}

// number records where each section is, in the order in which [writeIndex] numbers them. It returns their texts as
// peers index them, and the size of all files in bytes.
func (r *run) number(files []File, sections [][]corpus.Section) (texts []string, bytes int) {
	for i, f := range files {
		bytes += len(f.Text)
		for _, s := range sections[i] {
			r.targets = append(r.targets, eval.Target{ManualID: f.Manual, Path: f.Path, StartLine: s.Start})
			texts = append(texts, s.HeadingPath+"\n"+s.Text)
		}
	}
	return texts, bytes
}

// writeIndex builds and publishes a snapshot of sections that are already cut, synced to disk, and returns its name and
// size in bytes.
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
			w.Add(row, []string{s.HeadingPath, s.Text, s.Names})
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

// languageOf chooses the peers' analyzer: ja if the first 1,000 bytes of at least a tenth of the sections contain a CJK
// character.
func languageOf(texts []string) string {
	cjk := 0
	for _, t := range texts {
		if text.HasCJK(t[:min(len(t), 1000)]) {
			cjk++
		}
	}
	if 10*cjk >= len(texts) {
		return "ja"
	}
	return "en"
}
