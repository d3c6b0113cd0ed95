package workspace

import (
	"fmt"
	"strconv"
)

// Strategy is the configuration of one strategy; nil means the strategy's own default.
type Strategy struct {
	Enabled *bool
	Weight  *float64 // fusion weight, 0 to 100
	// Config is its configuration, or nil. The strategy has the schema.
	Config map[string]any
}

const maxWeight = 100

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
