package index

import (
	"context"
	"crypto/sha256"
	"fmt"
	"hash"
	"io"
	"time"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/patents/publication"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// sum fills in the hash of a file of publications, or why it is skipped, without
// holding it in memory. gone tells that it does not exist any more.
func (s *sources) sum(f *snapshot.File) (gone bool) {
	in, err := s.open(f)
	if err == nil {
		defer in.Close()
		h := sha256.New()
		if _, err = io.Copy(h, in); err == nil {
			h.Sum(f.SHA256[:0])
		}
	}
	if err != nil {
		bad := toolset.AsError(err)
		f.Skipped = bad.Message
		return bad.Code == toolset.NotFound
	}
	return false
}

func (s *sources) open(f *snapshot.File) (io.ReadCloser, error) {
	root, err := s.root(f.Group)
	if err != nil {
		return nil, err
	}
	return root.Open(f.Path)
}

// meter hashes and counts what is read through it.
type meter struct {
	from io.Reader
	sum  hash.Hash
	n    int64
	told func(n int64)
}

func (m *meter) Read(p []byte) (int, error) {
	n, err := m.from.Read(p)
	m.sum.Write(p[:n])
	m.n += int64(n)
	m.told(m.n)
	return n, err
}

// addPublications adds the records of a file to the part, one at a time.
func (b *builder) addPublications(ctx context.Context, f snapshot.File, p Progress) error {
	delete(b.refused, f.Path)
	if f.Skipped != "" {
		return nil
	}
	in, err := b.changes.sources.open(&f)
	if err != nil {
		return fmt.Errorf("index %s: %w", f.Path, err)
	}
	defer in.Close()
	m := &meter{from: in, sum: sha256.New(), told: func(n int64) {
		if time.Since(b.told) > tellEvery {
			b.told = time.Now()
			b.tell(Progress{Phase: p.Phase, Done: p.Done, Total: p.Total, Bytes: p.Bytes + n})
		}
	}}
	read := func() error { return corpus.AddPublications(ctx, b.part.writer, m, b.claim, b.refuse(f)) }
	if base := b.index.base(); base != nil {
		whole := read
		read = func() error { return base.Guard(whole) }
	}
	if err := read(); err != nil {
		return fmt.Errorf("index %s: %w", f.Path, err)
	}
	if [32]byte(m.sum.Sum(nil)) != f.SHA256 {
		return toolset.Errorf(toolset.NotAvailable, "%s changed while it was read; try again when it is written", f.Path)
	}
	return nil
}

// refuse remembers the first record of a file that is not taken, and counts all.
func (b *builder) refuse(f snapshot.File) func(publication.Refused) {
	return func(r publication.Refused) {
		known := b.refused[f.Path]
		if known.Count++; known.Count == 1 {
			r.Source = f.Path
			known.First = r
			b.index.log.Warn("records of publications are refused", "path", f.Path, "line", r.Line)
		}
		b.refused[f.Path] = known
	}
}

// claim takes a number for the record being added, unless one added before, or one of a
// file that stays as it is, has it.
func (b *builder) claim(number string) bool {
	if b.numbers[number] || b.kept(number) {
		return false
	}
	b.numbers[number] = true
	return true
}

// kept reports whether a file that is not read anew has the number.
func (b *builder) kept(number string) bool {
	base := b.index.base()
	if base == nil || b.force {
		return false
	}
	for it := base.Keyword(corpus.NumberKeyword(number)).Iterator(); it.HasNext(); {
		sec, ok := base.Section(it.Next())
		if k := (key{sec.Group, sec.Path}); ok && !b.changes.gone[k] && !b.changes.has(k) && corpus.NumberOf(sec.Title) == number {
			return true
		}
	}
	return false
}
