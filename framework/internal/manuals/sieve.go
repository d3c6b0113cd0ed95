package manuals

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/index"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// sieve holds the files in which, according to a snapshot, no line can match.
type sieve map[fileKey]indexed

// fileKey names a file.
type fileKey struct{ manual, path string }

// indexed is a file as it was when it was indexed.
type indexed struct {
	file snapshot.File
	read time.Time // its content was read at this time or earlier
}

// passes reports whether a file must be read: it may hold a match, or it has changed since it was indexed. known is a
// file that need not be read, as it was indexed.
func (s sieve) passes(f snapshot.File) (known snapshot.File, passes bool) {
	x, ok := s[fileKey{f.Group, f.Path}]
	return x.file, !ok || !index.Unchanged(x.file, x.read, f)
}

// sieve returns the files that, according to the snapshot in use, contain none of the texts.
func (l *Library) sieve(ctx context.Context, texts []string) (out sieve) {
	if l.options.Snapshot == nil || texts == nil {
		return nil
	}
	snap, release := l.options.Snapshot()
	if snap == nil {
		return nil
	}
	defer release()
	if err := snap.Guard(func() error { out = newSieve(ctx, snap, texts); return nil }); err != nil {
		return nil // then the files must be read
	}
	return out
}

// newSieve returns the files of a snapshot that contain none of the texts, or none if ctx ends.
func newSieve(ctx context.Context, snap *snapshot.Snapshot, texts []string) sieve {
	altered, mayHold := snap.Keyword(corpus.AlteredKey), map[fileKey]bool{}
	for n, it := 0, snap.Live().Iterator(); it.HasNext(); n++ {
		if n%1024 == 0 && ctx.Err() != nil {
			return nil
		}
		id := it.Next()
		sec, _ := snap.Section(id)
		key := fileKey{sec.Group, sec.Path}
		if !mayHold[key] {
			mayHold[key] = altered.Contains(id) || holdsOne(snap.Source(id, snapshot.FieldBody), texts) ||
				holdsOne(corpus.HeadingLine(sec), texts)
		}
	}
	out := sieve{}
	for _, g := range snap.Segments() {
		for f := range g.Files() {
			may, cut := mayHold[fileKey{f.Group, f.Path}]
			if cut && !may && (f.Skipped == "" || corpus.Partial(f.Skipped)) {
				f.Group, f.Path, f.Skipped = strings.Clone(f.Group), strings.Clone(f.Path), strings.Clone(f.Skipped)
				out[fileKey{f.Group, f.Path}] = indexed{f, g.Info().Created}
			}
		}
	}
	return out
}

// holdsOne reports whether a text contains one of several.
func holdsOne(s string, texts []string) bool {
	return slices.ContainsFunc(texts, func(t string) bool { return strings.Contains(s, t) })
}
