package trust

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/sagasu-search/sagasu/framework/internal/host"
	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// StartWeight is the most that a strategy weighs until somebody measures it. Of two lists
// merged, a weak one cost .006 to .011 nDCG@10 at weight 1 and gained .010 at 0.3, and
// noise cost ten times as much; at 0.2 either changes little.
const StartWeight = 0.2

// Plugin is an installed strategy: an entry of the lock.
type Plugin struct {
	// Name is what the strategy calls itself.
	Name string `toml:"name" json:"name"`
	// Source is what it was installed from: an absolute path, MODULE@VERSION, an https URL, or oci:// and an absolute
	// path.
	Source string `toml:"source" json:"source"`
	// Path is the absolute path of the executable.
	Path string `toml:"path" json:"path"`
	// Args are the executable's arguments.
	Args []string `toml:"args,omitempty" json:"args"`
	// SHA256 is the executable's, in hexadecimal.
	SHA256    string    `toml:"sha256" json:"sha256"`
	Installed time.Time `toml:"installed" json:"installed"`
	// Stamp changes when a file of the source does; "" for a source that is not on this machine.
	Stamp string `toml:"stamp,omitempty" json:"stamp"`
	host.Grants

	// What it said of itself when it was installed.
	Version string    `toml:"version" json:"version"`
	Stage   sdk.Stage `toml:"stage" json:"stage"`
	Weight  float64   `toml:"weight" json:"weight"` // its own
	Signals []string  `toml:"signals,omitempty" json:"signals"`
	// Admitting are the signals that it declares to admit; they do so where the grants say.
	Admitting []string `toml:"admitting,omitempty" json:"admitting"`
	Corpora   []string `toml:"corpora,omitempty" json:"corpora"`
	Schema    string   `toml:"config_schema,omitempty" json:"config_schema"` // JSON Schema of its configuration
	Summary   string   `toml:"summary,omitempty" json:"summary"`
	License   string   `toml:"license,omitempty" json:"license"`
	SDK       string   `toml:"sdk,omitempty" json:"sdk"` // that it was built with
	// Formats are those that a converter reads; none for a strategy.
	Formats []sdk.Format `toml:"format,omitempty" json:"formats"`
}

// Unite returns what either of two grants allows.
func Unite(a, b host.Grants) host.Grants {
	return host.Grants{
		Network: union(a.Network, b.Network), Reads: union(a.Reads, b.Reads), Env: union(a.Env, b.Env),
		Admit: a.Admit || b.Admit,
	}
}

func union(a, b []string) []string {
	return slices.Compact(slices.Sorted(slices.Values(slices.Concat(a, b))))
}

// StartWeight returns what the strategy weighs unless a configuration says otherwise.
func (p *Plugin) StartWeight() float64 { return min(p.Weight, StartWeight) }

// Entry returns what a host starts, with a configuration for the strategy, nil for none.
func (p *Plugin) Entry(config json.RawMessage) host.Entry {
	e := host.Entry{
		Name: p.Name, Path: p.Path, Args: p.Args, SHA256: p.SHA256, Grants: p.Grants, Config: config, Stage: p.Stage,
	}
	if len(p.Formats) > 0 {
		d := p.Converter()
		e.Converter = &d
	}
	if p.Stage == sdk.StageFill { // few searches call it
		d := p.Description()
		e.Known = &d
	}
	return e
}

// Describe records what the strategy says of itself.
func (p *Plugin) Describe(d sdk.Description) {
	p.Name, p.Version, p.Stage, p.Weight = d.Name, d.Version, d.Stage, d.Weight
	p.Signals, p.Schema = d.Signals, string(d.ConfigSchema)
	p.Admitting, p.Summary, p.License, p.SDK = d.Admitting, d.Summary, d.License, d.SDK
	for _, kind := range d.Corpora {
		p.Corpora = append(p.Corpora, string(kind))
	}
}

// DescribeConverter records what a converter says of itself.
func (p *Plugin) DescribeConverter(d sdk.ConverterDescription) {
	p.Name, p.Version, p.Stage, p.Formats = d.Name, d.Version, host.StageConvert, d.Formats
	p.Summary, p.License, p.SDK = d.Summary, d.License, d.SDK
}

// Converter is the inverse of DescribeConverter.
func (p *Plugin) Converter() sdk.ConverterDescription {
	return sdk.ConverterDescription{
		Name: p.Name, Version: p.Version, Formats: p.Formats, Summary: p.Summary, License: p.License, SDK: p.SDK,
	}
}

// Description is the inverse of Describe, as far as the grants go.
func (p *Plugin) Description() sdk.Description {
	d := sdk.Description{
		Name: p.Name, Version: p.Version, Stage: p.Stage, Weight: p.Weight, Signals: p.Signals,
		Summary: p.Summary, License: p.License, SDK: p.SDK,
	}
	if p.Admit {
		d.Admitting = p.Admitting
	}
	if p.Schema != "" {
		d.ConfigSchema = json.RawMessage(p.Schema)
	}
	for _, kind := range p.Corpora {
		d.Corpora = append(d.Corpora, snapshot.Kind(kind))
	}
	return d
}

// fill makes nil lists empty, so that JSON holds no null.
func (p *Plugin) fill() {
	for _, list := range []*[]string{&p.Args, &p.Network, &p.Reads, &p.Env, &p.Signals, &p.Corpora, &p.Admitting} {
		if *list == nil {
			*list = []string{}
		}
	}
	if p.Formats == nil {
		p.Formats = []sdk.Format{}
	}
}

// check reports the first thing wrong with an entry.
func (p *Plugin) check() error {
	for _, path := range p.Reads {
		if !filepath.IsAbs(path) {
			return fmt.Errorf("strategy %s: the granted path %q is not absolute", p.Name, path)
		}
	}
	if p.Path == "" {
		return fmt.Errorf("strategy %s has no executable", p.Name)
	}
	e := p.Entry(nil)
	return e.Check()
}

// Moved reports whether the source is not what was installed: an update would install something else.
func (p *Plugin) Moved() bool {
	if p.Stamp == "" || p.Source == p.Path {
		return false
	}
	now := stampOf(p.Source)
	return now != "" && now != p.Stamp
}

// stampOf returns a short form of what [Stamp] says of a source on this machine: an executable by its content, since
// a copy of it has another time, and an OCI image layout by its index.
func stampOf(source string) string {
	if strings.HasPrefix(source, ociSource) {
		dir, digest := layoutOf(source)
		if digest != "" {
			return "" // which names one content for good
		}
		source = filepath.Join(dir, "index.json")
	}
	info, err := os.Stat(source)
	if err != nil {
		return ""
	}
	if !info.IsDir() {
		sum, _ := Hash(source) // "" where it cannot be read
		return sum
	}
	sum := sha256.Sum256([]byte(Stamp(source)))
	return hex.EncodeToString(sum[:])
}

// Condition is what became of an installed executable.
type Condition string

const (
	Intact  Condition = "ok"      // the one that was installed
	Changed Condition = "changed" // another: it does not start
	Missing Condition = "missing" // gone
)

// Condition compares the executable with what the lock pins.
func (p *Plugin) Condition() (Condition, error) {
	sum, err := Hash(p.Path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return Missing, nil
	case err != nil:
		return Changed, err
	case sum != p.SHA256:
		return Changed, nil
	}
	return Intact, nil
}

// Hash returns the SHA-256 of a file, in hexadecimal.
func Hash(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", fmt.Errorf("hash %s: %w", path, err)
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
