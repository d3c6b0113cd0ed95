package workspace

import (
	"cmp"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/sagasu-search/sagasu/sdk/x/lazyregexp"
)

// Plugin is a strategy that a configuration names for sagasu plugin sync. Naming it neither installs nor starts
// anything.
type Plugin struct {
	Source  string // as for sagasu plugin install
	Version string // that it reports, "" for any
	SHA256  string // of its executable, "" for any
	// Origin is where it is named.
	Origin string
}

var sha256Text = lazyregexp.New(`^[0-9a-f]{64}$`)

// takePlugin reads source, version and sha256 of [plugins.NAME].
func (f *file) takePlugin(name string, members map[string]any) error {
	p := Plugin{Origin: f.at("plugins", name)}
	for _, key := range sortedKeys(members) {
		into := map[string]*string{"source": &p.Source, "version": &p.Version, "sha256": &p.SHA256}[key]
		if into == nil {
			return f.unknown([]string{"sha256", "source", "version"}, "plugins", name, key)
		}
		text, ok := members[key].(string)
		if !ok || text == "" || key == "sha256" && !sha256Text().MatchString(text) {
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
