package workspace

import (
	"cmp"
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Strategy is the configuration of one strategy; nil means the strategy's own default.
type Strategy struct {
	Enabled *bool
	Weight  *float64 // fusion weight, 0 to 100
	// Config is its configuration, or nil. The strategy has the schema.
	Config map[string]any
}

const maxWeight = 100

var strategyName = regexp.MustCompile(`^[a-z0-9-]{1,40}$`)

// takeTables reads the tables [kind.NAME], each with take.
func (f *file) takeTables(kind string, v any, take func(name string, members map[string]any) error) error {
	table, ok := v.(map[string]any)
	if !ok {
		return f.fail([]string{kind}, "%s must be tables [%[1]s.NAME]", kind)
	}
	for _, name := range sortedKeys(table) {
		members, ok := table[name].(map[string]any)
		if !ok || !strategyName.MatchString(name) {
			return f.fail([]string{kind, name}, "%s.%s must be a table named in lower-case letters, digits and '-'",
				kind, name)
		}
		if err := take(name, members); err != nil {
			return err
		}
	}
	return nil
}

// takeStrategy reads weight, enabled and config of [strategies.NAME].
func (f *file) takeStrategy(name string, members map[string]any) error {
	s := Strategy{}
	for _, key := range sortedKeys(members) {
		v, taken, want := members[key], false, ""
		switch key {
		case "weight":
			want = fmt.Sprintf("a number from 0 to %d", maxWeight)
			var weight float64
			weight, taken = asFloat(v)
			taken = taken && inRange(weight, 0, maxWeight)
			s.Weight = &weight
		case "enabled":
			want = "true or false"
			var on bool
			on, taken = v.(bool)
			s.Enabled = &on
		case "config":
			want = "a table"
			s.Config, taken = v.(map[string]any)
		default:
			return f.unknown([]string{"config", "enabled", "weight"}, "strategies", name, key)
		}
		if !taken {
			return f.fail([]string{"strategies", name, key}, "strategies.%s.%s is %v: it must be %s",
				name, key, written(v), want)
		}
	}
	f.strategies[name] = s
	return nil
}

func asFloat(v any) (float64, bool) {
	if n, ok := v.(int64); ok {
		return float64(n), true
	}
	x, ok := v.(float64)
	return x, ok
}

// mergeStrategies merges the strategies of files, key by key. Later files override earlier ones.
func (w *Workspace) mergeStrategies(files ...*file) {
	for _, f := range files {
		for name, s := range f.strategies {
			merged := w.Strategies[name]
			w.origins["strategies."+name] = f.at("strategies", name)
			if s.Enabled != nil {
				merged.Enabled = s.Enabled
				w.origins["strategies."+name+".enabled"] = f.at("strategies", name, "enabled")
			}
			if s.Weight != nil {
				merged.Weight = s.Weight
				w.origins["strategies."+name+".weight"] = f.at("strategies", name, "weight")
			}
			for key, value := range s.Config {
				if merged.Config == nil {
					merged.Config = map[string]any{}
				}
				merged.Config[key] = value
				setting := configSetting(name, key)
				w.origins[setting], w.guests[setting] = f.at("strategies", name, "config", key), f.guest
			}
			w.Strategies[name] = merged
		}
	}
	w.mergeSettings()
}

// mergeSettings synchronises [strategies.NAME] with the settings for a strategy's weight or whether it is enabled. A
// file's table overrides a default, but not a flag, the environment or a file that has the setting itself.
func (w *Workspace) mergeSettings() {
	for _, s := range settingsOf(w.parts) {
		name := s.Get("strategy")
		if name == "" {
			continue
		}
		strategy := w.Strategies[name]
		switch field := s.field.Addr().Interface().(type) {
		case *bool:
			merge(w, s.name, "strategies."+name+".enabled", field, &strategy.Enabled)
		case *float64:
			merge(w, s.name, "strategies."+name+".weight", field, &strategy.Weight)
		}
		w.Strategies[name] = strategy
	}
}

// merge copies the value and origin of a setting to the key of a table, or the reverse, whichever has precedence.
func merge[T any](w *Workspace, setting, key string, field *T, inTable **T) {
	if *inTable == nil || w.Origin(setting) != "default" {
		*inTable, w.origins[key] = field, w.Origin(setting)
		return
	}
	*field, w.origins[setting] = **inTable, w.Origin(key)
}

func sortedKeys(table map[string]any) []string { return slices.Sorted(maps.Keys(table)) }

// configSetting returns the name of a key of a strategy's configuration for Origin.
func configSetting(name, key string) string { return "strategies." + name + ".config." + key }

// ConfigOrigin returns where a key of a strategy's configuration came from, and whether that
// is the workspace's own file, which may come from a stranger.
func (w *Workspace) ConfigOrigin(name, key string) (origin string, guest bool) {
	setting := configSetting(name, key)
	return w.origins[setting], w.guests[setting]
}

// written returns a value for a message, in which "1" differs from 1.
func written(v any) any {
	if s, ok := v.(string); ok {
		return strconv.Quote(s)
	}
	return v
}

// Plugin is a strategy that a configuration names for sagasu plugin sync. Naming it neither installs nor starts
// anything.
type Plugin struct {
	Source  string // as for sagasu plugin install
	Version string // that it reports, "" for any
	SHA256  string // of its executable, "" for any
	// Origin is where it is named.
	Origin string
}

var sha256Text = regexp.MustCompile(`^[0-9a-f]{64}$`)

// takePlugin reads source, version and sha256 of [plugins.NAME].
func (f *file) takePlugin(name string, members map[string]any) error {
	p := Plugin{Origin: f.at("plugins", name)}
	for _, key := range sortedKeys(members) {
		into := map[string]*string{"source": &p.Source, "version": &p.Version, "sha256": &p.SHA256}[key]
		if into == nil {
			return f.unknown([]string{"sha256", "source", "version"}, "plugins", name, key)
		}
		text, ok := members[key].(string)
		if !ok || text == "" || key == "sha256" && !sha256Text.MatchString(text) {
			want := map[string]string{"sha256": "64 hexadecimal digits in lower case"}[key]
			return f.fail([]string{"plugins", name, key}, "plugins.%s.%s is %v: it must be %s", name, key,
				written(members[key]), cmp.Or(want, "a text"))
		}
		*into = text
	}
	p.Source = f.placed(p.Source)
	if p.Source == "" {
		return f.fail([]string{"plugins", name}, "plugins.%s needs a source", name)
	}
	f.plugins[name] = p
	return nil
}

// placed resolves a source that begins with a dot relative to the file's folder.
func (f *file) placed(source string) string {
	scheme, path, ok := strings.Cut(source, "://")
	if !ok {
		scheme, path = "", source
	} else {
		scheme += "://"
	}
	if strings.HasPrefix(path, ".") {
		path = filepath.Join(f.dir, filepath.FromSlash(path))
	}
	return scheme + path
}

// String returns the source, version and hash on one line.
func (p Plugin) String() string {
	out := p.Source
	if p.Version != "" {
		out += ", version " + p.Version
	}
	if p.SHA256 != "" {
		out += fmt.Sprintf(", sha256 %s", p.SHA256)
	}
	return out
}
