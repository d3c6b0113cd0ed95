package semantic

import (
	"context"
	"strings"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/embed"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/text"
	"github.com/sagasu-search/sagasu/sdk/x/patentquery"
	"github.com/sagasu-search/sagasu/sdk/x/state"
	"github.com/sagasu-search/sagasu/sdk/x/vector"
)

// embedder gets vectors from a service; it implements maker and encoder. Vectors of sections are
// kept on disk by content, so that a section is paid for once, wherever it moves; those of
// queries are not.
type embedder struct {
	settings Embedding
	client   *embed.Client
	dir      string // of the vectors
}

func (e *embedder) close() error { return e.client.Close() }

func (e *embedder) encoder(_ context.Context, _ *snapshot.Snapshot, files *state.Store) (encoder, error) {
	return &embedder{e.settings, e.client, files.Dir()}, nil
}

func (e *embedder) id() string {
	return strings.Join([]string{"service", e.client.ID(), e.settings.Document}, " ")
}

// atOnce is how many sections are embedded between two looks at the cache.
const atOnce = 256

func (e *embedder) segment(
	ctx context.Context, snap *snapshot.Snapshot, seg *snapshot.Segment, scope patentquery.Scope,
) (*vector.Set, error) {
	provider, done, err := e.cached()
	if err != nil {
		return nil, err
	}
	defer done()
	set := vector.NewSet(0, int(seg.Len())) // the service tells the dimension
	for lo := uint32(0); lo < seg.Len(); lo += atOnce {
		rows, texts := e.texts(snap, seg, scope, lo, min(lo+atOnce, seg.Len()))
		if len(texts) == 0 {
			continue
		}
		vectors, err := provider.Embed(ctx, texts)
		if err != nil {
			return nil, err
		}
		if set.Dim() == 0 {
			set = vector.NewSet(len(vectors[0]), int(seg.Len()))
		}
		for i, row := range rows {
			vector.Normalise(vectors[i])
			set.Put(row, vectors[i])
		}
		sdk.Logger(ctx).Debug("embedded sections", "done", rows[len(rows)-1]+1, "of", seg.Len())
	}
	return set, nil
}

// cached is the service behind its cache, where there is a directory for that.
func (e *embedder) cached() (embed.Provider, func(), error) {
	if e.dir == "" {
		return e.client, func() {}, nil
	}
	cache, err := embed.NewCache(e.dir, e.client)
	if err != nil {
		return nil, nil, err
	}
	return cache, func() { _ = cache.Close() }, nil // everything was written
}

// texts are those of the sections [lo, hi) that have one, with their local ids.
func (e *embedder) texts(
	snap *snapshot.Snapshot, seg *snapshot.Segment, scope patentquery.Scope, lo, hi uint32,
) (rows []int, texts []string) {
	for i := lo; i < hi; i++ {
		if text := e.text(snap, seg.Base()+i, scope); text != "" {
			rows, texts = append(rows, int(i)), append(texts, e.settings.Document+text)
		}
	}
	return rows, texts
}

// text is what is sent of a section: the scope's fields in order, without those that are
// only stored, cut to the most characters. It is empty for a deleted section.
func (e *embedder) text(snap *snapshot.Snapshot, id uint32, scope patentquery.Scope) string {
	var fields []string
	for f, name := range snap.Fields() {
		if strings.HasPrefix(name, snapshot.StoredField) || !looksAt(scope, name) {
			continue
		}
		if s := strings.TrimSpace(snap.Source(id, f)); s != "" {
			fields = append(fields, s)
		}
	}
	return strings.Clone(text.CutRunes(strings.Join(fields, "\n"), e.settings.MaxChars))
}

func (e *embedder) query(ctx context.Context, query string) ([]float32, string, error) {
	query = text.CutRunes(strings.TrimSpace(query), e.settings.MaxChars)
	if query == "" {
		return nil, "semantic: the query holds no text", nil
	}
	vectors, err := e.client.Embed(ctx, []string{e.settings.Query + query})
	if err != nil {
		return nil, "", err
	}
	vector.Normalise(vectors[0])
	return vectors[0], "", nil
}
