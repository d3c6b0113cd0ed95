package workspace

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
)

// Strategy is what a configuration says of one strategy; nil leaves the
// strategy's own default.
type Strategy struct {
	Enabled *bool
	Weight  *float64 // fusion weight, 0 to 100
	// Config is its configuration, nil for none; its schema is the strategy's.
	Config map[string]any
}

// maxWeight is the largest fusion weight.
const maxWeight = 100

var strategyName = regexp.MustCompile(`^[a-z0-9-]{1,40}$`)

// takeTables reads the tables [kind.NAME], each by take.
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

// mergeStrategies lets the workspace's words outrank the user's, key by key.
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

// mergeSettings joins the settings that stand for the weight of a strategy, or whether it is
// enabled, with [strategies.NAME]: a file's table outranks a default, and is outranked by a
// flag, the environment or a file that sets the setting itself.
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

// merge gives a setting and the key of a table the value, and the origin, of the one that
// outranks the other.
func merge[T any](w *Workspace, setting, key string, field *T, inTable **T) {
	if *inTable == nil || w.Origin(setting) != "default" {
		*inTable, w.origins[key] = field, w.Origin(setting)
		return
	}
	*field, w.origins[setting] = **inTable, w.Origin(key)
}

func sortedKeys(table map[string]any) []string { return slices.Sorted(maps.Keys(table)) }

// configSetting returns how Origin knows a key of a strategy's configuration.
func configSetting(name, key string) string { return "strategies." + name + ".config." + key }

// ConfigOrigin returns where a key of a strategy's configuration came from, and whether that
// is the workspace's own file, which may come from a stranger.
func (w *Workspace) ConfigOrigin(name, key string) (origin string, guest bool) {
	setting := configSetting(name, key)
	return w.origins[setting], w.guests[setting]
}

// written returns a value as a message repeats it, so that "1" differs from 1.
func written(v any) any {
	if s, ok := v.(string); ok {
		return strconv.Quote(s)
	}
	return v
}
