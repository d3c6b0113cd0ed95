package publication

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"path"
	"strings"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// Source is the [corpus.RecordSource] of publications: JSON Lines files, a record a line.
type Source struct{}

var _ corpus.RecordSource = Source{}

// Schema implements [corpus.Source].
func (Source) Schema() snapshot.Schema { return snapshot.PublicationSchema() }

// Walk implements [corpus.Source].
func (Source) Walk(
	ctx context.Context, m corpus.Manual, paths []string, enter func(dir string),
) ([]snapshot.File, []toolset.Skip, error) {
	belongs := func(name string) bool { return IsJSONLines(name) && !corpus.LeftOut(path.Base(name)) }
	return corpus.WalkFiles(ctx, m, corpus.Selection{Belongs: belongs}, paths, enter)
}

// IsJSONLines reports whether a file is read as a list of publications.
func IsJSONLines(name string) bool { return strings.EqualFold(path.Ext(name), ".jsonl") }

// Reach implements [corpus.Source].
func (Source) Reach(path string) corpus.Reach {
	if IsJSONLines(path) {
		return corpus.ReachesFile
	}
	return corpus.ReachesNothing
}

// Text implements [corpus.Source].
func (Source) Text(_ string, src []byte) (text []byte, unfit string) { return src, "" }

// Cut implements [corpus.Source].
func (Source) Cut(string, []byte) iter.Seq[corpus.Row] { return nil }

// AddRecords implements [corpus.RecordSource]; the key of a publication is [NumberOf] its pub_id.
func (Source) AddRecords(
	ctx context.Context, add func(corpus.Row) error, r io.Reader, claim func(key string) bool, refuse func(Refused),
) error {
	in := NewReader(r)
	in.Refuse = refuse
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		p, err := in.Next()
		if errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return fmt.Errorf("read publications: %w", err)
		}
		row, err := p.row(in.Line())
		if err != nil {
			return err
		}
		if !claim(NumberOf(p.PubID)) {
			refuse(Refused{Line: in.Line(), ID: p.PubID, Reason: "the collection has this pub_id already"})
			continue
		}
		if err := add(row); err != nil {
			return err
		}
	}
}

// WithKey implements [corpus.RecordSource].
func (Source) WithKey(s *snapshot.Snapshot, key string) iter.Seq[snapshot.Section] {
	return func(yield func(snapshot.Section) bool) {
		for it := s.Keyword("pub_id:" + key).Iterator(); it.HasNext(); {
			if sec, ok := s.Section(it.Next()); ok && NumberOf(sec.Title) == key && !yield(sec) {
				return
			}
		}
	}
}
