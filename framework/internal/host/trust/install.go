package trust

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/sagasu-search/sagasu/framework/internal/host"
	"github.com/sagasu-search/sagasu/sdk/x/border"
)

// Installer installs strategies for one user.
type Installer struct {
	// ConfigHome is the user's configuration folder, which holds the lock.
	ConfigHome string
	// Store is the folder where executables are kept, made if missing.
	Store string
	// Folders are those of PLUGIN_PATH: what lies there is pinned where it lies.
	Folders []string
	// Reserved are names that no installed strategy may take, as of the bundled ones.
	Reserved []string
	// Probe starts an executable once and asks what it is.
	Probe func(context.Context, host.Entry) (host.Said, error)
}

// Request is what to install.
type Request struct {
	// Source is an executable, a folder with a Go program, MODULE@VERSION, an https URL of an executable or the
	// oci:// folder of an OCI image layout.
	Source string
	Args   []string
	Grants host.Grants
	// SHA256 is the executable's in hexadecimal, "" for any. A URL needs it.
	SHA256 string
	// Name is what the strategy must call itself, "" for anything. It then replaces one from another source.
	Name string
	// Version is what the strategy must say, "" for anything.
	Version string
}

// Met reports whether a strategy is installed as requested.
func (r *Request) Met(p *Plugin) bool {
	source, err := sourceOf(r.Source)
	return err == nil && source == p.Source && (r.SHA256 == "" || r.SHA256 == p.SHA256) &&
		(r.Version == "" || r.Version == p.Version)
}

// Again returns the request by which a strategy is installed anew: of a module the latest version, of a URL what was
// there.
func (p *Plugin) Again() Request {
	r := Request{Source: p.Source, Args: p.Args, Grants: p.Grants, Name: p.Name}
	if module, _, ok := strings.Cut(p.Source, "@"); ok && moduleAtVersion().MatchString(p.Source) {
		r.Source = module + "@latest"
	}
	if strings.HasPrefix(p.Source, httpsSource) {
		r.SHA256 = p.SHA256
	}
	return r
}

// mostProbe is how long an executable may take to start and say what it is.
const mostProbe = time.Minute

// Install builds or copies an executable, asks it in its sandbox what it is, and enters
// it in the lock. It takes the place of what was installed from the same source before.
func (i *Installer) Install(ctx context.Context, r Request) (*Plugin, error) {
	source, err := sourceOf(r.Source)
	if err != nil {
		return nil, err
	}
	if strings.HasPrefix(source, httpsSource) && r.SHA256 == "" {
		return nil, fmt.Errorf(
			"%s needs --sha256, in sagasu.toml sha256: its release names the checksum of the file", source)
	}
	if sum, err := hex.DecodeString(r.SHA256); r.SHA256 != "" && (err != nil || len(sum) != sha256.Size) {
		return nil, fmt.Errorf(
			"the SHA-256 of %s must be %d hexadecimal digits, and is %q", source, 2*sha256.Size, r.SHA256)
	}
	if _, err := Read(i.ConfigHome); err != nil { // before anything is built
		return nil, err
	}
	if err := os.MkdirAll(i.Store, 0o700); err != nil {
		return nil, fmt.Errorf("make the folder of installed strategies: %w", err)
	}
	staging, err := os.MkdirTemp(i.Store, ".new-")
	if err != nil {
		return nil, fmt.Errorf("install: %w", err)
	}
	defer os.RemoveAll(staging)
	p, err := i.fetch(ctx, source, r, staging)
	if err != nil {
		return nil, err
	}
	if r.SHA256 != "" && !strings.EqualFold(r.SHA256, p.SHA256) {
		return nil, fmt.Errorf("%s is not installed: its SHA-256 is %s, and %s was expected: give the one that its "+
			"release names", r.Source, p.SHA256, r.SHA256)
	}
	asking, cancel := context.WithTimeout(ctx, mostProbe)
	defer cancel()
	d, err := i.Probe(asking, p.Entry(nil))
	if err != nil {
		return nil, fmt.Errorf("%s is not installed: it does not start as a strategy or a converter: %w", r.Source, err)
	}
	if len(d.ConfigSchema) > 0 {
		if _, err := border.CompileSchema(d.ConfigSchema); err != nil {
			return nil, fmt.Errorf("%s is not installed: the schema of its configuration cannot be used: %w", r.Source,
				err)
		}
	}
	if d.Converter != nil {
		p.DescribeConverter(*d.Converter)
	} else {
		p.Describe(d.Description)
	}
	p.fill()
	if slices.Contains(i.Reserved, p.Name) {
		return nil, fmt.Errorf("%s is not installed: it calls itself %s, which is bundled", r.Source, p.Name)
	}
	if r.Version != "" && p.Version != r.Version {
		return nil, fmt.Errorf("%s is not installed: it says that it is version %s, not %s", r.Source, p.Version,
			r.Version)
	}
	if r.Name != "" && p.Name != r.Name {
		return nil, fmt.Errorf("%s is not installed: it calls itself %s, not %s", r.Source, p.Name, r.Name)
	}
	return p, i.enter(ctx, p, staging, r.Name != "")
}

// fetch puts the executable into the staging folder, or leaves it in PLUGIN_PATH, and
// makes its entry as far as it is known.
func (i *Installer) fetch(ctx context.Context, source string, r Request, staging string) (*Plugin, error) {
	p := &Plugin{
		Name: "probe", Source: source, Path: source, Args: r.Args, Grants: r.Grants,
		Installed: time.Now().UTC().Truncate(time.Second), Stamp: stampOf(source),
	}
	var err error
	if !within(source, i.Folders) {
		if err := deliver(ctx, source, staging); err != nil {
			return nil, err
		}
		if p.Path, err = only(staging); err != nil {
			return nil, fmt.Errorf("%s: %w", r.Source, err)
		}
	}
	if err := p.AddInterpreters(); err != nil {
		return nil, err
	}
	if p.SHA256, err = Hash(p.Path); err != nil {
		return nil, err
	}
	return p, p.check()
}

// enter moves the executable to its place, which its hash names, and writes the lock. replace allows another source.
func (i *Installer) enter(ctx context.Context, p *Plugin, staging string, replace bool) error {
	if err := p.check(); err != nil {
		return err
	}
	var replaced *Plugin
	err := Change(ctx, i.ConfigHome, func(plugins []Plugin) ([]Plugin, error) {
		at := index(plugins, p.Name)
		if at >= 0 && plugins[at].Source != p.Source && !replace {
			return nil, fmt.Errorf("%s is installed from %s: sagasu plugin update %s SOURCE takes it from another, "+
				"sagasu plugin rm %s removes it", p.Name, plugins[at].Source, p.Name, p.Name)
		}
		if err := i.store(p, staging); err != nil {
			return nil, err
		}
		if at >= 0 {
			old := plugins[at]
			replaced, plugins[at] = &old, *p
		} else {
			plugins = append(plugins, *p)
		}
		return plugins, nil
	})
	if err == nil && replaced != nil {
		err = i.forget(replaced)
	}
	return err
}

// store moves the executable out of the staging folder.
func (i *Installer) store(p *Plugin, staging string) error {
	if filepath.Dir(p.Path) != staging {
		return nil
	}
	place := filepath.Join(i.Store, p.SHA256[:16])
	if err := os.Mkdir(place, 0o700); err != nil && !errors.Is(err, os.ErrExist) {
		return fmt.Errorf("install: %w", err)
	}
	target := filepath.Join(place, filepath.Base(p.Path))
	if err := os.Rename(p.Path, target); err != nil {
		return fmt.Errorf("install: %w", err)
	}
	p.Path = target
	return nil
}

// Remove takes a strategy out of the lock, with its executable if that was copied or
// built, and returns its entry.
func (i *Installer) Remove(ctx context.Context, name string) (*Plugin, error) {
	var gone Plugin
	err := Change(ctx, i.ConfigHome, func(plugins []Plugin) ([]Plugin, error) {
		at := index(plugins, name)
		if at < 0 {
			return nil, ErrNotInstalled
		}
		gone = plugins[at]
		return slices.Delete(plugins, at, at+1), nil
	})
	if err != nil {
		return nil, err
	}
	return &gone, i.forget(&gone)
}

// ErrNotInstalled means that no strategy of that name is in the lock.
var ErrNotInstalled = errors.New("no strategy of that name is installed")

// forget removes the folder of an executable in the store, unless an entry needs it: the same executable may be there
// by another name.
func (i *Installer) forget(p *Plugin) error {
	place := filepath.Dir(p.Path)
	if filepath.Dir(place) != filepath.Clean(i.Store) {
		return nil
	}
	plugins, err := Read(i.ConfigHome)
	if err != nil || slices.ContainsFunc(plugins, func(p Plugin) bool { return filepath.Dir(p.Path) == place }) {
		return err
	}
	if err := os.RemoveAll(place); err != nil {
		return fmt.Errorf("remove the executable: %w", err)
	}
	return nil
}

func index(plugins []Plugin, name string) int {
	return slices.IndexFunc(plugins, func(p Plugin) bool { return p.Name == name })
}
