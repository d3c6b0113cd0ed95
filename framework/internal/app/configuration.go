package app

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/x/dict"

	"github.com/sagasu-search/sagasu/framework/internal/host"
	"github.com/sagasu-search/sagasu/framework/internal/host/trust"
	"github.com/sagasu-search/sagasu/framework/internal/module"
)

// collectionURL is the setting whose scheme names the gathering strategy.
const collectionURL = "COLLECTION_URL"

// collection returns the URL of the collection that an installed strategy gathers from, or "".
func (a *App) collection(name string) string {
	url := a.Workspace.Value(collectionURL)
	if scheme, _, _ := strings.Cut(url, "://"); scheme != name {
		return ""
	}
	return url
}

// launch returns the checked start parameters of a bundled strategy.
func (a *App) launch(b sdk.Entry) (sdk.Launch, error) {
	table := a.Workspace.Strategies[b.Name].Config
	for _, key := range b.UserOnly {
		if origin, guest := a.Workspace.ConfigOrigin(b.Name, key); guest && table[key] != nil {
			return sdk.Launch{}, &module.ConfigError{Err: fmt.Errorf("%s: a workspace's own file may not set %s; "+
				"do so in the user's configuration file", origin, key)}
		}
	}
	var out sdk.Launch
	if b.Launch != nil {
		var err error
		out, err = b.Launch(sdk.Configuration{Table: table, Setting: a.Workspace.Value})
		if wrong, ok := errors.AsType[*sdk.SettingError](err); ok {
			return out, &module.ConfigError{Err: a.wrongSetting(b.Name, wrong.From, wrong.Err)}
		}
		if err != nil {
			return out, &module.ConfigError{Err: err}
		}
	}
	for _, granted := range []struct {
		grants []sdk.Grant
		check  func(value string) error
	}{
		{out.Network, func(address string) error { return host.Grants{Network: []string{address}}.CheckGrants() }},
		{out.Reads, checkRead},
		{out.Env, func(name string) error { return host.Grants{Env: []string{name}}.CheckGrants() }},
	} {
		for _, g := range granted.grants {
			if err := granted.check(g.Value); err != nil {
				return out, &module.ConfigError{Err: a.wrongSetting(b.Name, g.From, err)}
			}
		}
	}
	if out.Config != nil || out.Off {
		return out, nil
	}
	var err error
	out.Config, err = a.bundledConfig(b)
	return out, err
}

// checkRead fails if a strategy may not be allowed to read a path.
func checkRead(path string) error {
	if !filepath.IsAbs(path) {
		return fmt.Errorf("the path %q is not absolute", path)
	}
	return nil
}

// wrongSetting returns an error with the place where a setting, or a key of a strategy's configuration, came from.
func (a *App) wrongSetting(strategy, from string, err error) error {
	if origin := a.Workspace.Origin(from); origin != "" {
		return fmt.Errorf("%s (from %s): %w", from, origin, err)
	}
	key, _, _ := strings.Cut(from, ".")
	origin, _ := a.Workspace.ConfigOrigin(strategy, key)
	return fmt.Errorf("%s: strategies.%s.config.%s: %w", origin, strategy, from, err)
}

// bundledConfig returns the configuration of a bundled strategy: its keys from the workspace's dictionaries, overridden
// by those of the configuration.
func (a *App) bundledConfig(b sdk.Entry) (json.RawMessage, error) {
	own, err := a.strategyConfig(b.Name, func() json.RawMessage { return b.New().Describe().ConfigSchema })
	words := dictionaryConfig(b, a.Dictionary)
	if err != nil || len(words) == 0 {
		return own, err
	}
	maps.Copy(words, a.Workspace.Strategies[b.Name].Config)
	return json.Marshal(words)
}

// InstalledConfig returns the configuration of an installed strategy. A workspace from a stranger must not redirect the
// data of a strategy that has network access or a key.
func (a *App) InstalledConfig(p *trust.Plugin) (json.RawMessage, error) {
	for _, key := range slices.Sorted(maps.Keys(a.Workspace.Strategies[p.Name].Config)) {
		if origin, guest := a.Workspace.ConfigOrigin(p.Name, key); guest && len(p.Network)+len(p.Env) > 0 {
			return nil, &module.ConfigError{Err: fmt.Errorf("%s: %s may reach the network or sees variables of "+
				"yours: a workspace's own file may not configure it; do so in the user's configuration file",
				origin, p.Name)}
		}
	}
	return a.strategyConfig(p.Name, func() json.RawMessage { return json.RawMessage(p.Schema) })
}

// strategyConfig returns the configuration of a strategy, checked against its schema, or nil if there is none.
func (a *App) strategyConfig(name string, schema func() json.RawMessage) (json.RawMessage, error) {
	table, url := a.Workspace.Strategies[name].Config, a.collection(name)
	if url != "" {
		table = maps.Clone(table)
		if table == nil {
			table = map[string]any{}
		}
		table["url"] = url
	}
	if len(table) == 0 {
		return nil, nil
	}
	config, err := json.Marshal(table)
	if err != nil {
		return nil, &module.ConfigError{Err: fmt.Errorf("strategies.%s.config: %w", name, err)}
	}
	err = host.CheckConfig(schema(), config)
	if wrong, ok := errors.AsType[*host.ConfigError](err); ok {
		ofURL := slices.Equal(wrong.Key, []string{"url"}) || len(table) == 1 // nothing else is configured
		if url != "" && ofURL {
			return nil, &module.ConfigError{Err: a.wrongSetting(name, collectionURL, errors.New(wrong.Problem))}
		}
		return nil, &module.ConfigError{Err: a.misconfigured(name, wrong)}
	}
	if err != nil {
		return nil, fmt.Errorf("strategy %s: %w", name, err)
	}
	return config, nil
}

// misconfigured returns an error with the file and line of a wrong value.
func (a *App) misconfigured(name string, wrong *host.ConfigError) error {
	place := strings.Join(append([]string{"strategies", name, "config"}, wrong.Key...), ".")
	keys := wrong.Key // empty if the whole table is wrong
	if len(keys) == 0 {
		keys = slices.Sorted(maps.Keys(a.Workspace.Strategies[name].Config))
	}
	origin, _ := a.Workspace.ConfigOrigin(name, keys[0])
	return errors.New(origin + ": " + place + ": " + wrong.Problem)
}

// DictionaryFolder is the folder in a workspace with its dictionaries.
const DictionaryFolder = "dict"

// ReadDictionaries reads the dictionaries of a workspace. It makes the names of files of translations full paths.
func ReadDictionaries(workspace string) (*dict.Folder, error) {
	root, err := os.OpenRoot(workspace)
	if err != nil {
		return nil, fmt.Errorf("open the workspace: %w", err)
	}
	defer root.Close()
	own, err := dict.Load(root.FS(), DictionaryFolder)
	if own != nil {
		for i, name := range own.Bilingual {
			own.Bilingual[i] = filepath.Join(workspace, filepath.FromSlash(name))
		}
	}
	return own, err
}

// dictionaryConfig returns the configuration from the workspace's dictionaries for a bundled
// strategy, which cannot read the workspace. It is never nil.
func dictionaryConfig(e sdk.Entry, own *dict.Folder) map[string]any {
	config := map[string]any{}
	add := func(kind string, words any, n int) {
		if key := e.Dictionaries[kind]; key != "" && n > 0 {
			config[key] = words
		}
	}
	add("synonyms", own.Synonyms, len(own.Synonyms))
	add("exceptions", own.Exceptions, len(own.Exceptions))
	add("translations", own.Bilingual, len(own.Bilingual))
	return config
}
