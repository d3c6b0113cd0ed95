package index

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"hash"
	"io"
	"slices"
	"time"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// meter hashes and counts the bytes read through it.
type meter struct {
	from     io.Reader
	sum      hash.Hash
	n        int64
	progress func(n int64)
}

func (m *meter) Read(p []byte) (int, error) {
	n, err := m.from.Read(p)
	m.sum.Write(p[:n])
	m.n += int64(n)
	m.progress(m.n)
	return n, err
}

// addRecords adds the records of a file to the part, one at a time.
func (b *builder) addRecords(ctx context.Context, f snapshot.File, p Progress) error {
	delete(b.refused, f.Path)
	if f.Skipped != "" {
		return nil
	}
	in, err := b.changes.reader.open(&f)
	if err != nil {
		return fmt.Errorf("index %s: %w", f.Path, err)
	}
	defer in.Close()
	m := &meter{from: in, sum: sha256.New(), progress: func(n int64) {
		b.announceLater(Progress{Phase: p.Phase, Done: p.Done, Total: p.Total, Bytes: p.Bytes + n})
	}}
	read := func() error {
		add := func(row corpus.Row) error { return b.record(ctx, f, row) }
		return b.changes.reader.records.AddRecords(ctx, add, m, b.claim, b.refuse(f))
	}
	if base := b.index.base(); base != nil {
		whole := read
		read = func() error { return base.Guard(whole) }
	}
	if err := read(); err != nil {
		return fmt.Errorf("index %s: %w", f.Path, err)
	}
	if [32]byte(m.sum.Sum(nil)) != f.SHA256 {
		return toolset.Errorf(toolset.NotAvailable, "%s changed while it was read; try again when it is written",
			f.Path)
	}
	return nil
}

// record adds a record of a file to the part. If the file is too large for one segment, the records in memory become
// a segment of the part, and the file continues in the next.
func (b *builder) record(ctx context.Context, f snapshot.File, row corpus.Row) error {
	if most := b.index.pace.most; most > 0 && b.part.held >= most {
		name, err := b.index.name()
		if err != nil {
			return err
		}
		info, err := b.write(ctx, name)
		if err != nil {
			return err
		}
		b.part.before, b.part.held, b.part.writer = append(b.part.before, info), 0, b.newWriter()
		b.part.writer.AddFile(f)
	}
	b.part.writer.Add(row.Section, row.Fields, row.Keywords...)
	for _, text := range row.Fields {
		b.part.held += int64(len(text))
	}
	return nil
}

// announceLater reports progress unless the last report is too recent.
func (b *builder) announceLater(p Progress) {
	if time.Since(b.announced) > progressEvery {
		b.announced = time.Now()
		b.announce(p)
	}
}

// refuse records the first refused record of a file and counts all of them.
func (b *builder) refuse(f snapshot.File) func(corpus.Refused) {
	return func(r corpus.Refused) {
		known := b.refused[f.Path]
		if known.Count++; known.Count == 1 {
			r.Source = f.Path
			known.First = r
			b.index.log.Warn("records are refused", "path", f.Path, "line", r.Line)
		}
		b.refused[f.Path] = known
	}
}

// claim reserves a key for the record being added. It returns false if an earlier record, or a
// record of an unchanged file, has the key.
func (b *builder) claim(key string) bool {
	if b.keys[key] || b.kept(key) {
		return false
	}
	b.keys[key] = true
	return true
}

// kept reports whether a file that is not read again has a record with the key.
func (b *builder) kept(recordKey string) bool {
	base := b.index.base()
	if base == nil || b.force {
		return false
	}
	for sec := range b.changes.reader.records.WithKey(base, recordKey) {
		if k := (key{sec.Group, sec.Path}); !b.changes.gone[k] && !b.changes.has(k) {
			return true
		}
	}
	return false
}

// Refusal counts the refused records of a file.
type Refusal struct {
	First corpus.Refused `json:"first"` // Source is the file
	Count int            `json:"count"`
}

// refusedFile stores the refusals of the published snapshot for processes that did not build it.
const refusedFile = "records-refused.json"

// readRefusals returns the stored refusals, by file.
func readRefusals(dir string) (map[string]Refusal, error) {
	var all map[string]Refusal
	data, err := readKept(dir, refusedFile)
	if err == nil && data != nil {
		err = json.Unmarshal(data, &all)
	}
	if err != nil {
		return nil, fmt.Errorf("read what was refused: %w", err)
	}
	return all, nil
}

// keepRefusals stores the refusals of the part together with those of unchanged files.
func (b *builder) keepRefusals(anew bool) error {
	dir := b.index.opts.Dir
	old, err := readRefusals(dir)
	if err != nil || anew {
		old = nil // an unreadable list is rebuilt over time
	}
	all := map[string]Refusal{}
	for k := range b.index.known {
		if r, ok := old[k.path]; ok {
			all[k.path] = r
		}
	}
	for _, f := range b.part.files {
		if delete(all, f.Path); b.refused[f.Path].Count > 0 {
			all[f.Path] = b.refused[f.Path]
		}
	}
	if len(all) == 0 && len(old) == 0 {
		return nil
	}
	data, err := json.Marshal(all)
	if err != nil {
		return err
	}
	return writeKept(dir, refusedFile, data)
}

// refusals returns the refusals of the files in the current snapshot, in their order.
func (x *Index) refusals() (out []Refusal, err error) {
	all, err := readRefusals(x.opts.Dir)
	if len(all) == 0 {
		return nil, err
	}
	for k := range x.known {
		if r, ok := all[k.path]; ok {
			out = append(out, r)
		}
	}
	slices.SortFunc(out, func(a, b Refusal) int { return cmp.Compare(a.First.Source, b.First.Source) })
	return out, nil
}
