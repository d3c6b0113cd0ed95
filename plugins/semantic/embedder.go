package semantic

import (
	"context"
	"strings"

	"github.com/sagasu-search/sagasu/sdk/embed"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/text"
	"github.com/sagasu-search/sagasu/sdk/x/patentquery"
	"github.com/sagasu-search/sagasu/sdk/x/space"
	"github.com/sagasu-search/sagasu/sdk/x/state"
	"github.com/sagasu-search/sagasu/sdk/x/vector"
)

// embedder gets vectors from a service; it implements maker and encoder. Vectors of sections are
// kept on disk by content, so that a section is paid for once, wherever it moves; those of
// queries are not.
type embedder struct {
	settings space.Service
	client   *embed.Client
	cached   embed.Provider // nil before the first snapshot
	forget   func()         // lets go of the cache
}

func (e *embedder) close() error {
	if e.cached != nil {
		e.forget()
	}
	return e.client.Close()
}

func (e *embedder) encoder(_ context.Context, _ *snapshot.Snapshot, files *state.Store) (encoder, error) {
	if e.cached != nil {
		return e, nil
	}
	var err error
	e.cached, e.forget, err = space.Cached(files.Dir(), e.client)
	return e, err
}

func (e *embedder) within(scope patentquery.Scope) space.Encoder {
	return &space.Texts{
		Provider: e.cached, Form: e.settings.Document + within(scope),
		Of: func(snap *snapshot.Snapshot, id uint32) []string {
			if text := e.text(snap, id, scope); text != "" {
				return []string{e.settings.Document + text}
			}
			return nil
		},
	}
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
