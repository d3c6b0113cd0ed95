package module

import (
	"context"

	"github.com/hashicorp/go-hclog"

	"github.com/sagasu-search/sagasu/framework/internal/doctor"
	"github.com/sagasu-search/sagasu/framework/internal/host"
	"github.com/sagasu-search/sagasu/framework/internal/index"
	"github.com/sagasu-search/sagasu/framework/internal/search"
	"github.com/sagasu-search/sagasu/framework/internal/search/adapt"
	"github.com/sagasu-search/sagasu/framework/internal/store"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/framework/internal/workspace"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/x/dict"
)

// Env is what a product is opened with. The products of a program share it.
type Env struct {
	Workspace  *workspace.Workspace
	Dictionary *dict.Folder // of the workspace
	// Store opens what other processes share: in files below the state directory, or in Redis.
	Store store.Opener
	// Strategies runs the strategies of manuals and vault.
	Strategies *host.Host
	// Entries returns the strategies of a kind of corpus as a host of their own starts them.
	Entries func(snapshot.Kind) []host.Entry
	// Bundled returns the arguments that make this program serve compiled-in strategies in one process.
	Bundled func(names ...string) []string
	// Gatherer is the strategy that gathers from the collection of the manuals, "" where they are files.
	Gatherer string
	// Stored is set where a strategy takes part that has collections keep something for it.
	Stored bool
	// Settings are the weights, thresholds and limits of a search.
	Settings search.Settings
	// Recorder keeps statistics of use; nil keeps none.
	Recorder *adapt.Recorder
	// FileScope permits reading and copying whole Markdown files. The product of manuals sets it.
	FileScope bool
	// Used, if not nil, is called with what was read or copied of a manual: a section by the
	// line it begins at, a file with line 0. The product of manuals sets it.
	Used   func(manual, path string, line int)
	Logger hclog.Logger
	// Live is set in a server: files are watched and what was found is remembered.
	Live bool
	// Shared is set where other servers may be asked next: an answer waits until its trace is stored.
	Shared bool
	// Fleet is set where servers of other machines have the same stores, and Version is that of this one.
	Fleet   bool
	Version string
	// Progress returns what an index of that work reports to, and what ends the report.
	Progress func(work string) (report func(index.Progress), done func())
}

// Definition is how a program knows a product before it is opened.
type Definition struct {
	// Groups are the names by which TOOLSETS switches the product's tools on, and Extra those of
	// tools that are on only when it names them.
	Groups, Extra []string
	// Active reports whether Groups are on when TOOLSETS is not set: whether the workspace holds
	// something for them. nil is always.
	Active func(*workspace.Workspace) bool
	// IndexDir returns the directory of the product's index, "" where there can be none.
	IndexDir func(*workspace.Workspace) string
	// Shared products are searched by the strategies of [Env.Strategies], which read the index.
	Shared bool
	// Root is the setting that names the product's files, and Problem why they cannot be used, nil
	// where they can or do not exist yet. A program does not start with a problem of a root that
	// somebody named, or whose tools TOOLSETS names.
	Root    string
	Problem func(*workspace.Workspace) error
	// Suffices is set where the product's files are enough for a workspace, which then needs no manuals.
	Suffices bool
	// Settings is a struct whose tags are the product's settings, see [workspace.Settings].
	Settings any
	// Check examines the product's files and index for the report, and changes nothing. It is nil
	// where there is nothing to examine.
	Check func(ctx context.Context, env *Env, r *doctor.Report) error
	// Open returns nil where the workspace has no use for the product. It fails with a
	// [ConfigError] when the product's settings are wrong.
	Open func(ctx context.Context, env *Env) (Module, error)
}

// ConfigError reports a configuration with which the program cannot be opened.
type ConfigError struct{ Err error }

// Error implements error.
func (e *ConfigError) Error() string { return e.Err.Error() }

// Unwrap returns what is wrong.
func (e *ConfigError) Unwrap() error { return e.Err }

// Module is an open product. Opening indexes nothing and starts no process; both happen when
// they are needed first.
type Module interface {
	Toolset() toolset.Toolset
	// Build indexes the product's files anew. It returns nil where there are none.
	Build(ctx context.Context) (*index.Report, error)
	Close() error
}
