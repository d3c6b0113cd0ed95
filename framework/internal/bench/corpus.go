package bench

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"time"
	"unicode/utf8"

	"golang.org/x/sync/errgroup"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/eval"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/text"
)

// File is a file of the manuals as it was read.
type File struct {
	Manual, Path string
	Text         []byte
}

// Read reads the files of manuals that can be searched, in order of manual and
// path. What is no text or too large is left out, as an index leaves it out.
func Read(ctx context.Context, manuals []corpus.Manual) ([]File, error) {
	var out []File
	for _, m := range manuals {
		files, _, err := corpus.Walk(ctx, m)
		if err != nil {
			return nil, err
		}
		for _, f := range files {
			text, err := corpus.Read(ctx, m, f.Path)
			if _, refused := errors.AsType[*toolset.Error](err); refused || len(text) > corpus.MaxSize {
				continue
			}
			if err != nil {
				return nil, fmt.Errorf("read %s/%s: %w", m.ID, f.Path, err)
			}
			out = append(out, File{Manual: m.ID, Path: f.Path, Text: text})
		}
	}
	return out, ctx.Err()
}

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
// synced to disk, and returns its name and size in bytes.
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

// fromHeadings makes queries of the headings of a corpus, each once, where nobody
// judged any: every third asks a question about its heading. The section of the
// heading is what is relevant, which says nothing of quality.
func fromHeadings(units []unit, language string) []eval.Query {
	frame := " とは"
	if language == "en" {
		frame = " how to use"
	}
	var out []eval.Query
	seen := map[string]bool{}
	for _, u := range units {
		title := strings.TrimSpace(u.target.Heading)
		if n := utf8.RuneCountInString(title); n < 2 || n > 80 || seen[title] {
			continue
		}
		seen[title] = true
		q := eval.Query{ID: u.target.Path, Query: title, Relevant: []eval.Target{u.target}}
		if len(out)%3 == 2 {
			q.Query += frame
		}
		out = append(out, q)
	}
	return out
}

// spaced takes n of all queries at even distances.
func spaced(queries []eval.Query, n int) []eval.Query {
	if n >= len(queries) {
		return queries
	}
	out := make([]eval.Query, n)
	for i := range out {
		out[i] = queries[i*len(queries)/n]
	}
	return out
}
