package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sagasu-search/sagasu/framework/internal/app"
	"github.com/sagasu-search/sagasu/framework/internal/host"
	"github.com/sagasu-search/sagasu/framework/internal/host/trust"
	"github.com/sagasu-search/sagasu/framework/internal/workspace"
)

func pluginUpdateCommand(prog *program) *cobra.Command {
	var sha256 string
	var more host.Grants
	c := &cobra.Command{
		Use:   "update NAME [SOURCE]",
		Short: "Install an installed strategy again",
		Long: `update installs a strategy again with the arguments and grants that it has and those
that flags add: from its source, of a module the latest version, or from another
SOURCE, such as the URL of the next release with its --sha256. What goes wrong leaves
the installed one as it is.`,
		Example: `  sagasu plugin update titles
  sagasu plugin update titles --admit
  sagasu plugin update titles https://example.com/v2/titles_linux_amd64 --sha256 SUM`,
		ValidArgsFunction: completeInstalled(prog),
	}
	c.Flags().StringVar(&sha256, "sha256", "", "refuse an executable with another SHA-256")
	grantFlags(c.Flags(), &more)
	return reportCommand(c, "print the entry as JSON", withWorkspace(prog, func(
		c *cobra.Command, w *workspace.Workspace, args []string,
	) (*updated, error) {
		if err := checkGrants(&more); err != nil {
			return nil, err
		}
		found, err := installed(w, args[:1])
		if err != nil {
			return nil, err
		}
		before := &found[0]
		r := before.Again()
		r.Grants = trust.Unite(r.Grants, more)
		if len(args) > 1 {
			r.Source, r.SHA256 = args[1], ""
		}
		r.SHA256 = cmp.Or(sha256, r.SHA256)
		after, err := installer(w, prog.strategies.Names()).Install(c.Context(), r)
		if err != nil {
			return nil, err
		}
		granted := slices.ContainsFunc([]string{"network", "read", "env", "admit"}, c.Flags().Changed)
		return &updated{after, before.Version, before.SHA256, granted}, nil
	}), printUpdated)
}

func printUpdated(w io.Writer, u *updated) error {
	if u.SHA256 == u.OldSHA256 && u.Version == u.OldVersion { // a script can change, its interpreter not
		fmt.Fprintf(w, "%s %s is what was installed\n", u.Name, plain(u.Version))
	} else {
		fmt.Fprintf(w, "updated %s from %s to %s\nsha256 %s\n", u.Name, plain(u.OldVersion), plain(u.Version), u.SHA256)
	}
	if u.granted {
		fmt.Fprintf(w, "granted: %s\n", grants(u.Grants))
	}
	return nil
}

// updated is an entry of the lock with the values that it replaced.
type updated struct {
	*trust.Plugin
	OldVersion string `json:"old_version"`
	OldSHA256  string `json:"old_sha256"`
	granted    bool   // flags granted more
}

// described is an installed strategy with its weight and its state folders.
type described struct {
	verified
	// Effective is its weight in this workspace.
	Effective float64       `json:"effective_weight"`
	State     []stateFolder `json:"state"` // folders in which it keeps files
}

// stateFolder is a folder with a strategy's files.
type stateFolder struct {
	Path  string `json:"path"`
	Bytes int64  `json:"bytes"`
}

func pluginInfoCommand(prog *program) *cobra.Command {
	return reportCommand(&cobra.Command{
		Use:               "info NAME",
		Short:             "Show all that is known of an installed strategy",
		Example:           `  sagasu plugin info titles`,
		ValidArgsFunction: completeInstalled(prog),
	}, "print as JSON", withWorkspace(prog,
		func(_ *cobra.Command, w *workspace.Workspace, args []string) (*described, error) {
			all, err := verify(w, args)
			if err != nil {
				return nil, err
			}
			weight := all[0].StartWeight()
			if set := w.Strategies[args[0]].Weight; set != nil {
				weight = *set
			}
			return &described{all[0], weight, stateOf(w, args[0])}, nil
		}), printInfo)
}

func printInfo(w io.Writer, d *described) error {
	t := table{w: w}
	row := func(what, text string) {
		if text != "" {
			t.row(what, plain(text))
		}
	}
	row("name", d.Name)
	row("version", d.Version)
	row("description", d.Summary)
	row("licence", d.License)
	row("stage", string(d.Stage))
	row("signals", strings.Join(d.Signals, ", "))
	row("admission", admission(d.Description(), d.Admitting))
	if len(d.Formats) > 0 {
		row("reads", strings.Join(extensions(&d.Plugin), ", "))
	} else {
		row("weight", fmt.Sprintf("%.2f, it asks for %.2f", d.Effective, d.Weight))
	}
	row("granted", grants(d.Grants))
	row("source", d.Source)
	row("sdk", d.SDK)
	row("installed", d.Installed.Format("2006-01-02 15:04 MST"))
	row("executable", strings.Join(append([]string{d.Path}, d.Args...), " "))
	row("sha256", d.SHA256+" "+d.text())
	row("schema", d.Schema)
	for _, s := range d.State {
		row("state", fmt.Sprintf("%s (%d bytes)", s.Path, s.Bytes))
	}
	return t.end()
}

// stateOf returns the folders in which a strategy keeps files, one for each workspace.
func stateOf(w *workspace.Workspace, name string) []stateFolder {
	out := []stateFolder{}
	dirs, _ := filepath.Glob(filepath.Join(w.StateHome, "*", "strategies", name)) // the pattern is well formed
	for _, dir := range dirs {
		k := stateFolder{Path: dir}
		_ = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error { // unreadable files count as empty
			if err == nil && !d.IsDir() {
				if info, err := d.Info(); err == nil {
					k.Bytes += info.Size()
				}
			}
			return nil
		})
		out = append(out, k)
	}
	return out
}

// purge removes the state folders of a strategy if really is set, and reports each of them in any case.
func purge(out io.Writer, state []stateFolder, really bool) error {
	var errs []error
	for _, s := range state {
		if really {
			errs = append(errs, os.RemoveAll(s.Path))
		}
		verb := map[bool]string{false: "stays (--purge removes it)", true: "removed"}[really]
		fmt.Fprintf(out, "state %s: %s, %d bytes\n", verb, s.Path, s.Bytes)
	}
	return errors.Join(errs...)
}

func pluginSyncCommand(prog *program) *cobra.Command {
	var yes bool
	c := &cobra.Command{
		Use:   "sync",
		Short: "Install the strategies that the configuration names",
		Long: `sync installs what [plugins.NAME] of sagasu.toml, or of your config.toml, names by
source, version and sha256 and what is not installed so. It shows what it is about
to install and asks first: a workspace may come from a stranger, and a strategy runs
with your rights, but for what the sandbox withholds. Installed strategies keep their
grants, new ones get none.`,
		Example: `  sagasu plugin sync
  sagasu plugin sync --yes`,
		RunE: func(c *cobra.Command, _ []string) error {
			w, err := prog.load()
			if err != nil {
				return err
			}
			return synchronise(c, w, installer(w, prog.strategies.Names()), yes)
		},
	}
	c.Flags().BoolVar(&yes, "yes", false, "install without asking")
	return c
}

func synchronise(c *cobra.Command, w *workspace.Workspace, i *trust.Installer, yes bool) error {
	out := c.OutOrStdout()
	plugins, err := trust.Read(w.ConfigHome)
	if err != nil {
		return err
	}
	wanted := app.Wanted(w, plugins)
	for _, r := range wanted {
		p := w.Plugins[r.Name]
		fmt.Fprintf(out, "%s: %s (%s)\n", r.Name, plain(p.String()), p.Origin)
		if at := slices.IndexFunc(plugins, func(p trust.Plugin) bool { return p.Name == r.Name }); at >= 0 {
			is := &plugins[at]
			fmt.Fprintf(out, "  takes the place of %s from %s, with what that is granted: %s\n", plain(is.Version),
				plain(is.Source), grants(is.Grants))
		}
	}
	if len(wanted) == 0 {
		_, err := fmt.Fprintln(out, "what the configuration names is installed")
		return err
	}
	if !yes {
		if yes, err = agreed(c, "Install them?"); err != nil {
			return err
		}
	}
	if !yes {
		return errors.New("nothing was installed")
	}
	for _, r := range wanted {
		p, err := i.Install(c.Context(), r)
		if err != nil {
			return err
		}
		if err := printInstalled(out, p); err != nil {
			return err
		}
	}
	return nil
}
