package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hashicorp/go-hclog"
	"github.com/spf13/cobra"

	"github.com/sagasu-search/sagasu/framework/internal/host"
	"github.com/sagasu-search/sagasu/framework/internal/host/trust"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/framework/internal/workspace"
	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/x/border"
)

func pluginInstallCommand(prog *program) *cobra.Command {
	var r trust.Request
	c := &cobra.Command{
		Use:   "install SOURCE",
		Short: "Install a strategy of somebody else",
		Long: `install takes an executable, a folder with a Go program, or MODULE@VERSION; the
latter two are built with the local Go toolchain. It also takes what was built
elsewhere: the https URL of an executable, whose --sha256 its release names, or
oci:// and the folder of an OCI image layout. The executable is started once,
in its sandbox, to ask what it is. Then it is entered in plugins.lock, in your
configuration folder, with its SHA-256 and what you grant it: as soon as it is
changed, it does not start. It may read the index and nothing else unless a grant
says so. An executable in a folder of PLUGIN_PATH is pinned where it lies, others
are copied.`,
		Example: `  sagasu plugin install ./my-strategy
  sagasu plugin install example.com/me/my-strategy@v1.2.0 --network tcp:443 --env MY_API_KEY
  sagasu plugin install https://example.com/v1/my-strategy_linux_amd64 --sha256 SUM
  sagasu plugin install oci://my-strategy-layout`,
	}
	c.Flags().StringVar(&r.SHA256, "sha256", "", "refuse an executable with another SHA-256")
	startFlags(c.Flags(), &r.Grants, &r.Args)
	return reportCommand(c, "print the entry as JSON", withWorkspace(prog,
		func(c *cobra.Command, w *workspace.Workspace, args []string) (*trust.Plugin, error) {
			r.Source = args[0]
			if err := checkGrants(&r.Grants); err != nil {
				return nil, err
			}
			for _, arg := range r.Args {
				if info, err := os.Stat(arg); err == nil && info.Mode().IsRegular() && !filepath.IsAbs(arg) {
					return nil, usageError{fmt.Errorf("--arg %s is a file here, and the strategy is started "+
						"elsewhere: give its whole path", arg)}
				}
			}
			return installer(w, prog.strategies.Names()).Install(c.Context(), r)
		}), printInstalled)
}

// installer returns an installer that writes to the folders of the configuration.
func installer(w *workspace.Workspace, reserved []string) *trust.Installer {
	return &trust.Installer{
		ConfigHome: w.ConfigHome, Store: filepath.Join(w.StateHome, "plugins"),
		Folders: workspace.Of[host.Settings](w).PluginPath, Reserved: reserved,
		Probe: func(ctx context.Context, e host.Entry) (host.Said, error) {
			return probe(ctx, e, newLogger(w, true))
		},
	}
}

// probe asks an executable what it is. The executable can read only an empty folder.
func probe(ctx context.Context, e host.Entry, logger hclog.Logger) (host.Said, error) {
	dir, err := os.MkdirTemp("", "sagasu-probe-")
	if err != nil {
		return host.Said{}, err
	}
	defer os.RemoveAll(dir)
	return host.Probe(ctx, host.Options{
		IndexDir: filepath.Join(dir, "index"), StateDir: filepath.Join(dir, "state"), Logger: logger,
	}, e)
}

func printInstalled(w io.Writer, p *trust.Plugin) error {
	if len(p.Formats) > 0 {
		_, err := fmt.Fprintf(w, "installed %s %s from %s\nsha256 %s\ngranted: %s\nIt converts %s: the next search "+
			"indexes such files of manuals, and a server when it is started again.\n",
			p.Name, p.Version, plain(p.Source), p.SHA256, grants(p.Grants),
			strings.Join(extensions(p), ", "))
		return err
	}
	adds := admission(p.Description(), p.Admitting)
	if adds != "" {
		adds += "\n"
	}
	_, err := fmt.Fprintf(w, `installed %s %s (%s) from %s
sha256 %s
granted: %s
%s%s
`, p.Name, p.Version, p.Stage, plain(p.Source), p.SHA256, grants(p.Grants), adds, takesPart(p))
	return err
}

// takesPart says when an installed strategy is called.
func takesPart(p *trust.Plugin) string {
	switch {
	case p.Stage == sdk.StageGather:
		return fmt.Sprintf("It gathers for searches where COLLECTION_URL begins with %s://", p.Name)
	case p.StartWeight() == 0:
		return fmt.Sprintf("No search calls it, since it describes a weight of 0: give it one in a configuration, "+
			"[strategies.%s] weight = 0.1", p.Name)
	case p.Stage == sdk.StageJudge:
		return "It judges what each search finds."
	}
	return fmt.Sprintf("It takes part with weight %.2f until you know what it is worth:\n"+
		"  sagasu eval --queries FILE --ablate --tune", p.StartWeight())
}

// extensions returns the file name extensions that a converter reads.
func extensions(p *trust.Plugin) (out []string) {
	for _, f := range p.Formats {
		out = append(out, f.Extensions...)
	}
	return out
}

// grants describes in one line what a strategy may do.
func grants(g host.Grants) string {
	var parts []string
	if g.Admit {
		parts = append(parts, "sections of its own")
	}
	for _, granted := range []struct {
		what string
		list []string
	}{{"network", g.Network}, {"read", g.Reads}, {"env", g.Env}} {
		if len(granted.list) > 0 {
			parts = append(parts, granted.what+" "+strings.Join(granted.list, ","))
		}
	}
	if len(parts) == 0 {
		return "nothing"
	}
	return plain(strings.Join(parts, "; "))
}

// verified is an installed strategy and the condition of its executable.
type verified struct {
	trust.Plugin
	Condition trust.Condition `json:"condition"`
	// Moved reports that the source has changed since the installation.
	Moved bool `json:"source_moved"`
}

// text describes the condition of the executable and whether its source has changed.
func (v *verified) text() string {
	if v.Moved {
		return string(v.Condition) + ", but its source has changed since: sagasu plugin update " + v.Name
	}
	return string(v.Condition)
}

func pluginVerifyCommand(prog *program) *cobra.Command {
	return reportCommand(&cobra.Command{
		Use:   "verify [NAME]",
		Short: "Compare installed strategies with what was installed",
		Long: `verify hashes the executable of each installed strategy, or of one, and compares
it with plugins.lock, and says whether its source on this machine has changed since.
It starts nothing, and ends with 1 when an executable differs or is gone. The same comparison precedes every start.`,
		Example:           `  sagasu plugin verify`,
		ValidArgsFunction: completeInstalled(prog),
	}, "print as JSON", withWorkspace(prog,
		func(_ *cobra.Command, w *workspace.Workspace, args []string) ([]verified, error) {
			all, err := verify(w, args)
			broken := slices.ContainsFunc(all, func(v verified) bool { return v.Condition != trust.Intact })
			return all, cmp.Or(err, reportedIf(broken))
		}), printVerified)
}

func verify(w *workspace.Workspace, names []string) ([]verified, error) {
	plugins, err := installed(w, names)
	if err != nil {
		return nil, err
	}
	out := []verified{}
	for i := range plugins {
		condition, err := plugins[i].Condition()
		if err != nil {
			return nil, err
		}
		out = append(out, verified{plugins[i], condition, plugins[i].Moved()})
	}
	return out, nil
}

func printVerified(w io.Writer, all []verified) error {
	if len(all) == 0 {
		fmt.Fprintln(w, "no strategy is installed")
	}
	t := table{w: w}
	for _, v := range all {
		t.row(v.Name, v.text(), v.SHA256, v.Path)
	}
	return t.end()
}

func pluginRmCommand(prog *program) *cobra.Command {
	var purged bool
	c := &cobra.Command{
		Use:   "rm NAME",
		Short: "Remove an installed strategy",
		Long: `rm removes a strategy from plugins.lock, with its executable if that was copied or
built, and says what files it leaves in its state folders.`,
		Example: `  sagasu plugin rm titles
  sagasu plugin rm titles --purge`,
		ValidArgsFunction: completeInstalled(prog),
		RunE: func(c *cobra.Command, args []string) error {
			w, err := prog.load()
			if err != nil {
				return err
			}
			p, err := installer(w, prog.strategies.Names()).Remove(c.Context(), args[0])
			if errors.Is(err, trust.ErrNotInstalled) {
				own := border.IsName(args[0]) && !slices.Contains(prog.strategies.Names(), args[0])
				if left := stateOf(w, args[0]); purged && own && len(left) > 0 { // of a strategy removed before
					return purge(c.OutOrStdout(), left, true)
				}
				_, absent := installed(w, args)
				return cmp.Or(absent, err)
			}
			if err != nil {
				return err
			}
			fmt.Fprintf(c.OutOrStdout(), "removed %s, which came from %s\n", p.Name, plain(p.Source))
			return purge(c.OutOrStdout(), stateOf(w, p.Name), purged)
		},
	}
	c.Flags().BoolVar(&purged, "purge", false, "remove the files that it kept, too")
	return c
}

// installed returns the installed strategies, or the first of names. If that is not installed, the error suggests one
// with a similar name.
func installed(w *workspace.Workspace, names []string) ([]trust.Plugin, error) {
	plugins, err := trust.Read(w.ConfigHome)
	if err != nil || len(names) == 0 {
		return plugins, err
	}
	if i := slices.IndexFunc(plugins, func(p trust.Plugin) bool { return p.Name == names[0] }); i >= 0 {
		return plugins[i : i+1], nil
	}
	if len(plugins) == 0 {
		return nil, errors.New("no strategy is installed beside the bundled ones")
	}
	return nil, toolset.Unknown("installed strategy", names[0], namesOf(plugins))
}

func namesOf(plugins []trust.Plugin) (names []string) {
	for i := range plugins {
		names = append(names, plugins[i].Name)
	}
	return names
}
