package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"github.com/hashicorp/go-hclog"

	"github.com/sagasu-search/sagasu/framework/bridge"
	"github.com/sagasu-search/sagasu/framework/corpus"
	"github.com/sagasu-search/sagasu/framework/find"
	"github.com/sagasu-search/sagasu/framework/index"
	"github.com/sagasu-search/sagasu/framework/mcpserver"
	"github.com/sagasu-search/sagasu/framework/store"
	"github.com/sagasu-search/sagasu/framework/vault"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// vaultID names the vault where its index wants the name of a manual.
const vaultID = "vault"

// vaultRoom is the vault of a run with its index and its search.
type vaultRoom struct {
	files  *vault.Vault
	dir    string // of the index
	index  *index.Index
	engine *find.Engine
}

// openVault puts the vault together, where there can be one. It is indexed when it
// is searched first.
func (a *app) openVault(logger hclog.Logger) error {
	w := a.workspace
	if w.VaultProblem() != nil {
		return nil
	}
	room := &vaultRoom{dir: index.Dir(w.CacheHome, vaultID, w.VaultRoot)}
	room.files = vault.New(vault.Options{
		Dir: w.VaultRoot, HistoryBytes: int64(w.VaultHistoryMaxMB) << 20, MaxChars: w.VaultMaxChars,
		ChunkLines: w.VaultScanDefaultChunkLines, MaxChunkLines: w.VaultScanMaxChunkLines,
		CoverageMin: w.CoverageMinRatio, GainMin: w.MarginalGainMin,
		Changed: func(name string) { room.index.Changed(name) },
		Gained:  func(lines, tokens int) { a.recorder.Gained("vault_scan", lines, tokens) },
	})
	var err error
	room.index, err = index.Open(index.Options{
		Dir: room.dir, Kind: snapshot.KindVault, Manuals: room.corpus, Logger: logger, Live: a.serving,
	})
	if err == nil {
		a.vault = room
	}
	return err
}

// corpus is what is indexed: the vault, once it exists.
func (r *vaultRoom) corpus(context.Context) ([]corpus.Manual, error) {
	dir := r.files.Dir()
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return nil, nil
	}
	return []corpus.Manual{{ID: vaultID, Dir: dir, Vault: true}}, nil
}

// indexDirs are the vault's index directory, if there is a vault.
func (r *vaultRoom) indexDirs() []string {
	if r == nil {
		return nil
	}
	return []string{r.dir}
}

// furnishVault gives the server its tools of the vault.
func (a *app) furnishVault(server *mcpserver.Options, settings find.Settings, logger hclog.Logger) error {
	if a.vault == nil {
		return nil
	}
	w := a.workspace
	traces, err := store.Open(filepath.Join(w.StateDir(), "vault-traces"), w.TraceMaxKeep, w.TraceTTL())
	if err != nil {
		return err
	}
	a.vault.engine = find.New(find.Options{
		View: a.vault.index.View, Strategies: find.Only(a.host, find.VaultStrategies...), Traces: traces,
		Settings: settings, Logger: logger,
	})
	server.Vault, server.VaultFinder = a.vault.files, a.vault.engine
	server.Bridge = bridge.New(bridge.Options{
		Manuals: w.Manuals, Vault: a.vault.files, AllowFileScope: w.AllowFileScope, Used: a.engine.Used,
	})
	return nil
}

func (r *vaultRoom) close() error {
	if r == nil {
		return nil
	}
	if r.engine != nil {
		r.engine.Close()
	}
	return errors.Join(r.index.Close())
}
