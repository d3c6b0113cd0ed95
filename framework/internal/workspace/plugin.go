package workspace

import (
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"strings"
)

// Plugin is a strategy that a configuration names for sagasu plugin sync. Naming it installs and starts nothing.
type Plugin struct {
	Source  string // as sagasu plugin install takes it
	Version string // that it says of itself, "" for any
	SHA256  string // of its executable, "" for any
	// Origin is where it is named.
	Origin string
}

var sha256Text = regexp.MustCompile(`^[0-9a-f]{64}$`)

// mergePlugins lets the workspace's words outrank the user's.
func (w *Workspace) mergePlugins(files ...*file) {
	w.Plugins = map[string]Plugin{}
	for _, f := range files {
		maps.Copy(w.Plugins, f.plugins)
	}
}

// takePlugins reads [plugins.NAME] source, version, sha256.
func (f *file) takePlugins(v any) error {
	table, ok := v.(map[string]any)
	if !ok {
		return f.fail([]string{"plugins"}, "plugins must be tables [plugins.NAME]")
	}
	for _, name := range sortedKeys(table) {
		members, ok := table[name].(map[string]any)
		if !ok || !strategyName.MatchString(name) {
			return f.fail([]string{"plugins", name},
				"plugins.%s must be a table named in lower-case letters, digits and '-'", name)
		}
		p := Plugin{Origin: f.at("plugins", name)}
		for _, key := range sortedKeys(members) {
			into := map[string]*string{"source": &p.Source, "version": &p.Version, "sha256": &p.SHA256}[key]
			if into == nil {
				return f.unknown([]string{"sha256", "source", "version"}, "plugins", name, key)
			}
			text, ok := members[key].(string)
			if !ok || text == "" || key == "sha256" && !sha256Text.MatchString(text) {
				want := map[string]string{"sha256": "64 hexadecimal digits in lower case"}[key]
				if want == "" {
					want = "a text"
				}
				return f.fail([]string{"plugins", name, key}, "plugins.%s.%s is %v: it must be %s", name, key,
					written(members[key]), want)
			}
			*into = text
		}
		p.Source = f.placed(p.Source)
		if p.Source == "" {
			return f.fail([]string{"plugins", name}, "plugins.%s needs a source", name)
		}
		f.plugins[name] = p
	}
	return nil
}

// placed makes a source that begins with a dot one of the file's folder.
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

// String says it in a line.
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
