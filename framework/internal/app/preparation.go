package app

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/snapshot"

	"github.com/sagasu-search/sagasu/framework/internal/host"
	"github.com/sagasu-search/sagasu/framework/internal/index"
)

// Complete lets the strategies that the user added, by a setting or by installing them, finish preparing for a snapshot
// of manuals, and reports their progress. It returns the errors of those that fail.
func (a *App) Complete(ctx context.Context, corpus *snapshot.Snapshot) (failures []error) {
	ordinary := a.Strategies.Ordinary().Names()
	for _, e := range a.entries {
		finds := e.Stage == sdk.StageRetrieve || e.Stage == ""
		if slices.Contains(ordinary, e.Name) || !finds || e.Refused != nil {
			continue
		}
		report, done := a.Env().Progress(e.Name)
		err := a.Host.Complete(ctx, e.Name, corpus, func(n, total int) {
			report(index.Progress{Phase: "sections", Done: n, Total: total})
		})
		if done(); err != nil {
			failures = append(failures, err)
		}
	}
	return failures
}

// Stored returns the fields that strategies want an upload of a corpus to store with its sections, and reports their
// progress.
func (a *App) Stored(ctx context.Context, corpus *snapshot.Snapshot) (out []sdk.StoredField, err error) {
	for _, b := range a.Strategies.Of(corpus.Kind()) {
		at := slices.IndexFunc(a.entries, func(e host.Entry) bool { return e.Name == b.Name })
		if b.Stored == nil || at < 0 {
			continue
		}
		dir := filepath.Join(a.strategiesDir(), b.Name)
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return nil, fmt.Errorf("state of strategy %s: %w", b.Name, err)
		}
		report, done := a.Env().Progress(b.Name)
		ctx := sdk.WithSurroundings(ctx, a.Logger, dir)
		field, err := b.Stored(ctx, a.entries[at].Config, corpus, func(n, total int) {
			report(index.Progress{Phase: "sections", Done: n, Total: total})
		})
		if done(); err != nil {
			return nil, err
		}
		out = append(out, field)
	}
	return out, nil
}

// stores reports whether a strategy takes part for which collections store something.
func (a *App) stores() bool {
	return slices.ContainsFunc(a.entries, func(e host.Entry) bool {
		return slices.ContainsFunc(a.Strategies, func(b sdk.Entry) bool { return b.Name == e.Name && b.Stored != nil })
	})
}
