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

// Env is the environment in which a product is opened. The products of a program share it.
type Env struct {
	Workspace  *workspace.Workspace
	Dictionary *dict.Folder // the workspace's own
	// Store opens a store that other processes share: files below the state directory, or Redis.
	Store store.Opener
	// Strategies runs the strategies of manuals and vault.
	Strategies *host.Host
	// Entries returns the strategies of a kind of corpus as entries for another host.
	Entries func(snapshot.Kind) []host.Entry
	// Bundled returns the arguments that make this program serve compiled-in strategies in one process.
	Bundled func(names ...string) []string
	// Gatherer is the strategy that gathers from the collection of the manuals, or "" if they are files.
	Gatherer string
	// Stored is set if a strategy takes part for which collections store something.
	Stored bool
	// Settings are the weights, thresholds and limits of a search.
	Settings search.Settings
	// Recorder keeps statistics of use; nil keeps none.
	Recorder *adapt.Recorder
	// FileScope permits reading and copying whole Markdown files. The product of manuals sets it.
	FileScope bool
	// Used, if not nil, is called with what was read or copied of a manual: a section by its first line, or a file with
	// line 0. The product of manuals sets it.
	Used   func(manual, path string, line int)
	Logger hclog.Logger
	// Live is set in a server, which watches files and records use.
	Live bool
	// Shared is set if other servers may get the next request. An answer then waits until its trace is stored.
	Shared bool
	// Fleet is set if servers on other machines have the same stores, and Version is that of this one.
	Fleet   bool
	Version string
	// Progress returns a function to which work on an index reports, and a function that ends the report.
	Progress func(work string) (report func(index.Progress), done func())
}

// Definition is what a program knows of a product before opening it.
type Definition struct {
	// Groups are the names by which TOOLSETS switches the product's tools on; Extra are those of tools that are on only
	// if TOOLSETS names them.
	Groups, Extra []string
	// Active reports whether Groups are on if TOOLSETS is not set, which depends on the content of the workspace. nil
	// means always.
	Active func(*workspace.Workspace) bool
	// IndexDir returns the directory of the product's index, or "" if it has none.
	IndexDir func(*workspace.Workspace) string
	// Shared products are searched by the strategies of [Env.Strategies], which read the index.
	Shared bool
	// Root is the setting that names the product's files. Problem returns why they cannot be used, or nil if they can
	// or do not exist yet. A program does not start with a problem of a root that the user named, or whose tools
	// TOOLSETS names.
	Root    string
	Problem func(*workspace.Workspace) error
	// Suffices is set if a workspace with the product's files needs no manuals.
	Suffices bool
	// Settings is a struct whose tags are the product's settings, see [workspace.Settings].
	Settings any
	// Check examines the product's files and index for the report, and changes nothing. It may be nil.
	Check func(ctx context.Context, env *Env, r *doctor.Report) error
	// Open returns nil if the workspace does not use the product. It fails with a [ConfigError] if the product's
	// settings are wrong.
	Open func(ctx context.Context, env *Env) (Module, error)
}

// ConfigError reports a configuration with which the program cannot be opened.
type ConfigError struct{ Err error }

// Error implements error.
func (e *ConfigError) Error() string { return e.Err.Error() }

// Unwrap returns the underlying error.
func (e *ConfigError) Unwrap() error { return e.Err }

// Module is an open product. Opening neither indexes anything nor starts a process; both happen when they are first
// needed.
type Module interface {
	Toolset() toolset.Toolset
	// Build rebuilds the index of the product's files. It returns nil if there are none.
	Build(ctx context.Context) (*index.Report, error)
	Close() error
}
