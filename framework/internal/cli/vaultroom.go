package cli

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"github.com/hashicorp/go-hclog"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/index"
	"github.com/sagasu-search/sagasu/framework/internal/search"
	"github.com/sagasu-search/sagasu/framework/internal/server"
	"github.com/sagasu-search/sagasu/framework/internal/store"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/framework/internal/vault"
	"github.com/sagasu-search/sagasu/framework/internal/vault/bridge"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// vaultID names the vault where its index wants the name of a manual.
const vaultID = "vault"

// vaultRoom is the vault of a run with its index and its search.
type vaultRoom struct {
	files  *vault.Vault
	dir    string // of the index
	finder *vault.Finder

	open   func() (*index.Index, error) // once, when the vault is searched first
	opened atomic.Pointer[index.Index]  // by open
}

// openVault puts the vault together, where there can be one. It is indexed when it
// is searched first.
func (a *app) openVault(logger hclog.Logger) {
	w := a.workspace
	if err := w.VaultProblem(); err != nil {
		if _, missing := os.Stat(w.VaultRoot); missing == nil {
			logger.Warn("the vault is off", "error", err)
		}
		return
	}
	room := &vaultRoom{dir: index.Dir(w.CacheHome, vaultID, w.VaultRoot)}
	room.files = vault.New(vault.Options{
		Dir: w.VaultRoot, HistoryBytes: int64(w.VaultHistoryMaxMB) << 20, MaxChars: w.VaultMaxChars,
		ChunkLines: w.VaultScanDefaultChunkLines, MaxChunkLines: w.VaultScanMaxChunkLines,
		CoverageMin: w.CoverageMinRatio, GainMin: w.MarginalGainMin,
		Changed: room.changed,
		Overfull: func(bytes, limit int64) {
			logger.Warn("the newest earlier versions in the vault's history take more than VAULT_HISTORY_MAX_MB; they are kept", "bytes", bytes, "limit", limit)
		},
		Gained: func(tool string, lines, tokens int) { a.recorder.Gained(tool, lines, tokens) },
	})
	room.open = sync.OnceValues(func() (*index.Index, error) {
		x, err := index.Open(index.Options{
			Dir: room.dir, Kind: snapshot.KindVault, Manuals: room.corpus, Logger: logger, Live: a.serving,
		})
		room.opened.Store(x)
		return x, err
	})
	a.vault = room
}

// changed tells the index of a file that was written; one that is opened later
// looks at all.
func (r *vaultRoom) changed(name string) {
	if x := r.opened.Load(); x != nil {
		x.Changed(name)
	}
}

// view gives the newest snapshot of the vault.
func (r *vaultRoom) view(ctx context.Context, patience time.Duration) (index.View, error) {
	x, err := r.open()
	if err != nil {
		return index.View{}, err
	}
	return x.View(ctx, patience)
}

// skipped are the files that the newest snapshot does not hold.
func (r *vaultRoom) skipped() []toolset.Skip {
	if x := r.opened.Load(); x != nil {
		return x.Skipped()
	}
	return nil
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
func (a *app) furnishVault(server *server.Options, settings search.Settings, logger hclog.Logger) error {
	if a.vault == nil {
		return nil
	}
	w := a.workspace
	traces, err := store.Open(filepath.Join(w.StateDir(), "vault-traces"), w.TraceMaxKeep, w.TraceTTL())
	if err != nil {
		return err
	}
	a.vault.finder = &vault.Finder{
		Engine: search.New(search.Options{
			View: a.vault.view, Strategies: search.Only(a.host, vault.Strategies...), Traces: traces,
			Settings: settings, Logger: logger,
		}),
		Folder: a.vault.files.Folder, Skipped: a.vault.skipped,
	}
	server.Vault, server.VaultFind = a.vault.files, vault.FindTools(a.vault.finder)
	server.Bridge = bridge.New(bridge.Options{
		Manuals: w.Manuals, Vault: a.vault.files, AllowFileScope: w.AllowFileScope, Used: a.engine.Used,
	})
	return nil
}

func (r *vaultRoom) close() error {
	if r == nil {
		return nil
	}
	if r.finder != nil {
		r.finder.Engine.Close()
	}
	if x := r.opened.Load(); x != nil {
		return x.Close()
	}
	return nil
}
