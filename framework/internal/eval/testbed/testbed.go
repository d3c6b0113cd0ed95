package testbed

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/sagasu-search/sagasu/framework/internal/app"
	"github.com/sagasu-search/sagasu/framework/internal/collection"
	"github.com/sagasu-search/sagasu/framework/internal/host"
	"github.com/sagasu-search/sagasu/framework/internal/index"
	"github.com/sagasu-search/sagasu/framework/internal/manuals"
	"github.com/sagasu-search/sagasu/framework/internal/search"
	"github.com/sagasu-search/sagasu/framework/internal/store"
	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/x/guard"
)

// Testbed holds what all searches of an evaluation share: one snapshot, so that every variant sees the same sections,
// and the strategies.
type Testbed struct {
	view         index.View
	collection   *collection.Collection // searched instead of the view, or nil
	strategies   searcher
	descriptions []sdk.Description
	settings     search.Settings
	entries      app.Strategies
	configure    func(ctx context.Context, name string, keys map[string]any) (sdk.Strategy, error)
	memory       *memory
	dir          string // holds the trace of the newest search
	traces       *store.Dir
	newest       *search.Engine // nil before the first search
	reconfigured []*reconfigured
	restart      func(name string, keys map[string]any) (*host.Host, error)
}

// Open returns a testbed with the strategies and settings of a workspace. Close ends it.
func Open(ctx context.Context, a *app.App) (b *Testbed, err error) {
	a.Unhurried()
	far := app.Module[*manuals.Module](a).Collection()
	view := index.View{Release: func() {}}
	if far == nil {
		if view, err = app.Module[*manuals.Module](a).View(ctx, index.UntilComplete); err != nil {
			return nil, err
		}
	}
	defer func() {
		if err != nil {
			view.Release()
		}
	}()
	descriptions, failures := a.Host.Start(ctx)
	if len(failures) > 0 {
		return nil, fmt.Errorf("strategy %s cannot be measured: %w", failures[0].Name, failures[0])
	}
	descriptions = slices.DeleteFunc(descriptions, func(d sdk.Description) bool { return d.Stage == sdk.StageGather })
	if far == nil {
		if err := prepare(ctx, a.Host, descriptions, view.Snapshot); err != nil {
			return nil, err
		}
	}
	if b, err = newTestbed(view, a.Host, descriptions, a.Settings()); err != nil {
		return nil, err
	}
	b.entries, b.configure, b.restart, b.collection = a.Strategies, a.Configured, a.Reconfigured, far
	return b, nil
}

// prepare waits until the strategies of a corpus have prepared for it. Otherwise, queries would be measured without
// them.
func prepare(ctx context.Context, strategies *host.Host, descriptions []sdk.Description,
	corpus *snapshot.Snapshot) error {
	errs := guard.Each(len(descriptions), func(i int) error {
		d := descriptions[i]
		if len(d.Corpora) > 0 && !slices.Contains(d.Corpora, corpus.Kind()) {
			return nil
		}
		err := strategies.OpenOne(ctx, d.Name, corpus)
		if err == nil && d.Stage == sdk.StageRetrieve {
			err = strategies.Complete(ctx, d.Name, corpus, func(int, int) {})
		}
		if err != nil {
			return fmt.Errorf("strategy %s cannot be measured: %w", d.Name, err)
		}
		return nil
	})
	return cmp.Or(errs...)
}

func newTestbed(
	view index.View, strategies searcher, descriptions []sdk.Description, settings search.Settings,
) (*Testbed, error) {
	dir, err := os.MkdirTemp("", "sagasu-eval-")
	if err != nil {
		return nil, err
	}
	return &Testbed{
		view: view, strategies: strategies, descriptions: descriptions, settings: settings,
		memory: &memory{lists: map[string]*sync.Map{}}, dir: dir, traces: store.Open(dir, 1, time.Hour),
	}, nil
}

// Close ends the searches and releases the snapshot.
func (b *Testbed) Close() error {
	b.finish()
	err := b.dismiss(nil, 0)
	b.view.Release()
	return errors.Join(err, os.RemoveAll(b.dir))
}

// finish waits until the newest search has stored its trace.
func (b *Testbed) finish() {
	if b.newest != nil {
		b.newest.Close()
	}
}

// engine returns the engine of a variant. With remember, it shares lists with others. The previous engine must not be
// used any more.
func (b *Testbed) engine(ctx context.Context, v Variant, remember bool) (*search.Engine, error) {
	b.finish()
	strategies, err := b.configured(ctx, v)
	if err != nil {
		return nil, err
	}
	if remember {
		strategies = remembered{strategies, b.memory, v}
	}
	b.newest = newEngine(b.view.Snapshot, strategies, b.traces, b.settingsOf(v))
	b.newest.Collection = b.collection
	return b.newest, nil
}
