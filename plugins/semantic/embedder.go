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

// embedder gets vectors from the user's model; it implements maker and encoder.
type embedder struct {
	settings space.Config
	model    space.Model
	sections embed.Provider // nil before the first snapshot
	release  func()         // ends the use of sections
}

func (e *embedder) close() error {
	if e.sections != nil {
		e.release()
	}
	return e.model.Close()
}

func (e *embedder) encoder(_ context.Context, _ *snapshot.Snapshot, files *state.Store) (encoder, error) {
	if e.sections != nil {
		return e, nil
	}
	var err error
	e.sections, e.release, err = e.model.Sections(files.Dir())
	return e, err
}

func (e *embedder) within(scope patentquery.Scope) space.Encoder {
	return &space.Texts{
		Provider: e.sections, Form: e.settings.Document + within(scope), AtOnce: e.settings.Batch,
		Of: func(snap *snapshot.Snapshot, id uint32) []string {
			if text := e.text(snap, id, scope); text != "" {
				return []string{e.settings.Document + text}
			}
			return nil
		},
	}
}

// text returns the text of a section for the model: the scope's fields in order, without those that are only stored,
// cut to the maximum length. It is empty for a deleted section.
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
	p, err := e.model.Queries()
	if err != nil {
		return nil, "", err
	}
	vectors, err := p.Embed(ctx, []string{e.settings.Query + query})
	if err != nil {
		return nil, "", err
	}
	if !vector.Normalise(vectors[0]) {
		return nil, "semantic: the model knows none of the query's words", nil
	}
	return vectors[0], "", nil
}
