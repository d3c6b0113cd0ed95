package sdk

import (
	"context"
	"encoding/json"

	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// Entry is a compiled-in strategy or converter of documents. The program starts itself again to run it in a separate
// process, like an installed strategy.
type Entry struct {
	// Name is the name in the description of the strategy or converter that New or NewConverter returns.
	Name string
	// New makes the strategy.
	New func() Strategy
	// NewConverter makes a converter. Set either New or NewConverter. The remaining fields
	// apply to strategies only.
	NewConverter func() Converter
	// OnDemand starts the strategy when a search first calls it, instead of together with the others.
	OnDemand bool
	// Dictionaries maps each of the workspace's dictionaries ("synonyms", "exceptions", "translations") to the
	// configuration key that passes it to the strategy. Translations are passed as names of files, which the
	// strategy may read.
	Dictionaries map[string]string
	// UserOnly lists the configuration keys that a workspace's own file may not set, since that
	// file may be untrusted.
	UserOnly []string
	// Launch decides how to start the strategy, in a process of its own. If nil, the strategy starts with its
	// configuration and no grants, and may share a process with others.
	Launch func(Configuration) (Launch, error)
	// Schemes are the URL schemes of the collections that a [Gatherer] gathers from, such as "weaviate".
	Schemes []string
	// Upload fills such a collection. If it was interrupted, call it again to resume.
	Upload func(context.Context, Upload) (*Uploaded, error)
	// Stored computes what an upload stores for the strategy with each section of a corpus, using the configuration
	// that the strategy starts with. [StateDir] and [Logger] of ctx are those of the strategy.
	Stored func(
		ctx context.Context, config json.RawMessage, corpus *snapshot.Snapshot, progress func(done, total int),
	) (StoredField, error)
}

// Configuration is the user's configuration of a compiled-in strategy.
type Configuration struct {
	// Table is the strategy's table in a configuration file. Its keys are those of [Description.ConfigSchema].
	Table map[string]any
	// Setting returns a setting of the host by name, such as "RERANK_URL".
	Setting func(name string) string
}

// Launch says how to start a compiled-in strategy.
type Launch struct {
	// Off leaves the strategy out.
	Off bool
	// Config replaces [Configuration.Table]; nil keeps it.
	Config json.RawMessage
	// Network grants TCP ports to connect to, such as "tcp:443".
	Network []Grant
	// Env grants environment variables by name.
	Env []Grant
	// Reads grants files and folders to read, by absolute path.
	Reads []Grant
}

// Grant is something that a strategy may use.
type Grant struct {
	Value string
	// From is the setting or the configuration key that asked for the grant.
	From string
}

// SettingError reports a setting, or a key of the configuration, that cannot be used.
type SettingError struct {
	From string
	Err  error
}

// Error implements error.
func (e *SettingError) Error() string { return e.From + ": " + e.Err.Error() }

// Unwrap returns the reason.
func (e *SettingError) Unwrap() error { return e.Err }
