package sdk

import (
	"context"
	"encoding/json"
)

// Entry is a strategy, or a converter of documents, that a program has compiled in. The program starts itself
// again to run it, so that it runs in a process of its own as an installed one does.
type Entry struct {
	// Name is the one in the description of what New or NewConverter returns.
	Name string
	// New makes the strategy.
	New func() Strategy
	// NewConverter, instead of New, makes a converter. The other fields are for strategies.
	NewConverter func() Converter
	// OnDemand starts the strategy with the first search that calls it, not with the others.
	OnDemand bool
	// Dictionaries maps the workspace's dictionaries, "synonyms", "exceptions" and "translations", to the
	// keys of the configuration that carry them. Translations are names of files, which the strategy may read.
	Dictionaries map[string]string
	// UserOnly are keys of the configuration that a workspace's own file may not set, since
	// it may come from a stranger.
	UserOnly []string
	// Launch completes what the strategy is started with. nil starts it with its
	// configuration and no grants.
	Launch func(Configuration) (Launch, error)
	// Schemes are those of the URLs of collections that a [Gatherer] gathers from, such as "weaviate".
	Schemes []string
	// Upload fills such a collection. It may be called again when it was interrupted, and goes on then.
	Upload func(context.Context, Upload) (*Uploaded, error)
}

// Configuration is what the user configured for a compiled-in strategy.
type Configuration struct {
	// Table is its table in a configuration file, keys of [Description.ConfigSchema].
	Table map[string]any
	// Setting returns a setting of the host by name, such as "RERANK_URL".
	Setting func(name string) string
}

// Launch is what a compiled-in strategy is started with.
type Launch struct {
	// Off leaves the strategy out.
	Off bool
	// Config replaces the table; nil keeps it.
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
	// From is the setting or the key of the configuration that named it.
	From string
}

// SettingError reports a setting, or a key of the configuration, that cannot be used.
type SettingError struct {
	From string
	Err  error
}

// Error implements error.
func (e *SettingError) Error() string { return e.From + ": " + e.Err.Error() }

// Unwrap returns what is wrong.
func (e *SettingError) Unwrap() error { return e.Err }
