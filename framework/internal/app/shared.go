package app

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"time"

	"github.com/hashicorp/go-hclog"

	"github.com/sagasu-search/sagasu/framework/internal/doctor"
	"github.com/sagasu-search/sagasu/framework/internal/module"
	"github.com/sagasu-search/sagasu/framework/internal/search"
	"github.com/sagasu-search/sagasu/framework/internal/search/adapt"
	"github.com/sagasu-search/sagasu/framework/internal/store"
	"github.com/sagasu-search/sagasu/framework/internal/store/redis"
	"github.com/sagasu-search/sagasu/framework/internal/vault"
	"github.com/sagasu-search/sagasu/framework/internal/workspace"
)

// sharedServer returns the Redis that REDIS_URL names, or nil. It does not connect yet.
func sharedServer(w *workspace.Workspace) (*redis.Server, error) {
	s := workspace.Of[redis.Settings](w)
	if !s.Address.IsSet() {
		return nil, nil
	}
	return redis.Open(s.Address, cmp.Or(s.Namespace, filepath.Base(w.Root)))
}

// openShared opens the state that servers share, if REDIS_URL is set. If Redis refuses access, that is a configuration
// error. If it does not answer, it may come back, and until then every answer has a warning.
func (a *App) openShared(ctx context.Context) (err error) {
	if a.shared, err = sharedServer(a.Workspace); a.shared == nil {
		return err
	}
	wrong, err := a.shared.Check(ctx)
	switch {
	case wrong:
		return &module.ConfigError{Err: fmt.Errorf("REDIS_URL (%s): nothing can be kept in %s: %w",
			a.Workspace.Origin("REDIS_URL"), a.shared, err)}
	case err != nil:
		a.Logger.Warn("what servers share is out of reach", "where", a.shared.String(), "error", err)
	}
	return nil
}

// store opens a store that other processes share.
func (a *App) store(kind string, keep int, ttl time.Duration) store.Store {
	if a.shared != nil {
		return a.shared.Store(kind, keep, ttl)
	}
	return store.In(a.Workspace.StateDir())(kind, keep, ttl)
}

// statistics is the name of the list with the rows of all servers.
const statistics = "statistics"

// OpenStatistics opens the journal of searches and returns where it is.
func OpenStatistics(w *workspace.Workspace) (journal adapt.Journal, where string, err error) {
	server, err := sharedServer(w)
	if err != nil {
		return nil, "", err
	}
	if server != nil {
		return owned{adapt.Shared{Lines: server.Lines(statistics)}, server}, server.String(), nil
	}
	dir, name := vault.StatsFile(w)
	journal, err = adapt.OpenLog(dir, name)
	return journal, filepath.Join(dir, filepath.FromSlash(name)), err
}

// owned is a journal that owns its server connection.
type owned struct {
	adapt.Journal
	server *redis.Server
}

// Close closes the server.
func (o owned) Close() error { return o.server.Close() }

// checkShared adds to a report whether the shared state can be reached.
func checkShared(ctx context.Context, w *workspace.Workspace, r *doctor.Report) error {
	server, err := sharedServer(w)
	if server == nil {
		return err
	}
	defer server.Close()
	state := struct {
		Where   string `json:"where"`
		Reached bool   `json:"reached"`
	}{Where: server.String()}
	if _, err := server.Check(ctx); err != nil {
		r.Fail(fmt.Sprintf("nothing can be kept in %s: %v", server, err),
			"start it, or correct REDIS_URL; until then other servers know nothing of what this one found")
	} else {
		state.Reached = true
	}
	table := doctor.Table{Title: "shared state", Header: []string{"WHERE", "REACHED"}}
	table.Row(state.Where, doctor.Yes(state.Reached))
	r.Add("shared_state", state, table)
	return nil
}

// openRecorder returns a recorder for the statistics of the server's searches. If that fails, it logs the error and
// returns nil, and searches work without it.
func openRecorder(w *workspace.Workspace, logger hclog.Logger) *adapt.Recorder {
	log, _, err := OpenStatistics(w)
	if err != nil {
		logger.Warn("no statistics are kept", "error", err)
		return nil
	}
	searches, options := workspace.Of[search.Settings](w), *workspace.Of[adapt.Options](w)
	options.Log, options.TTL, options.Logger = log, w.TraceTTL(), logger
	options.Policy.Base = adapt.Thresholds{CandidateLow: searches.CandidateLow, FileBias: searches.FileBias}
	return adapt.NewRecorder(options)
}
