package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/sagasu-search/sagasu/framework/internal/app"
	"github.com/sagasu-search/sagasu/framework/internal/host"
	"github.com/sagasu-search/sagasu/framework/internal/host/scaffold"
	"github.com/sagasu-search/sagasu/framework/internal/host/trust"
	"github.com/sagasu-search/sagasu/sdk"
)

func pluginCommand(prog *program) *cobra.Command {
	c := &cobra.Command{
		Use:   "plugin",
		Short: "Manage the strategies",
	}
	c.AddCommand(
		pluginNewCommand(prog), pluginCheckCommand(prog), pluginDevCommand(prog), pluginInstallCommand(prog),
		pluginInfoCommand(prog), pluginLsCommand(prog), pluginRmCommand(prog), pluginSyncCommand(prog),
		pluginUpdateCommand(prog), pluginVerifyCommand(prog),
	)
	return c
}

// grantFlags are how a strategy is started: its grants and its arguments.
func grantFlags(f *pflag.FlagSet, g *host.Grants) {
	f.StringArrayVar(&g.Network, "network", nil, "let it connect out, such as `tcp:443`; may be repeated")
	f.StringArrayVar(&g.Reads, "read", nil, "let it read and execute this file or folder (`PATH`); may be repeated")
	f.StringArrayVar(&g.Env, "env", nil, "let it see this variable of the environment (`NAME`); may be repeated")
	f.BoolVar(&g.Admit, "admit", false, "let the signals that it declares for that add sections to what is found")
}

// startFlags are grantFlags and the arguments of the executable.
func startFlags(f *pflag.FlagSet, g *host.Grants, args *[]string) {
	grantFlags(f, g)
	f.StringArrayVar(args, "arg", nil, "start it with this argument; may be repeated")
}

// checkGrants checks the granted permissions and makes the paths absolute.
func checkGrants(g *host.Grants) (err error) {
	if err := g.CheckGrants(); err != nil {
		return usageError{err}
	}
	for i, path := range g.Reads {
		if g.Reads[i], err = filepath.Abs(path); err != nil {
			return err
		}
		if _, err := os.Stat(path); err != nil {
			return usageError{fmt.Errorf("--read %s: %w", path, errors.Unwrap(err))} // the path only once
		}
	}
	return nil
}

// admission returns a line that says why sections that a strategy proposes are not found, or "" if they are.
func admission(d sdk.Description, declared []string) string {
	if d.Admits() || d.Stage != sdk.StageRetrieve && d.Stage != sdk.StageFill {
		return ""
	}
	if len(declared) > 0 {
		return fmt.Sprintf("adds no sections: it says that %s admits, and --admit is not given",
			strings.Join(declared, ", "))
	}
	return "adds no sections: none of its signals admits (heading, normalized, loose), so that it orders what " +
		"others find"
}

func pluginNewCommand(prog *program) *cobra.Command {
	var o scaffold.Options
	c := &cobra.Command{
		Use:   "new NAME",
		Short: "Write a new strategy or converter",
		Long: `new writes a Go module that builds, passes its tests and runs: a strategy of a few
lines, a test that it keeps the rules of the host, and jobs for CI and releases.
--template says what to begin with: one that finds sections by words (retrieve), by
misspelt words (fuzzy) or by vectors (embedding), or one that orders what others
found (rerank), by weighted features (features), or a converter of documents
(converter). --python writes a script in Python with the library that it needs.
Nothing that exists is overwritten.`,
		Example: `  sagasu plugin new my-strategy --sdk ~/src/sagasu
  sagasu plugin new my-reranker --rerank --sdk ~/src/sagasu
  sagasu plugin new my-converter --converter
  sagasu plugin new my-script --python`,
		RunE: func(c *cobra.Command, args []string) error {
			o.Name = args[0]
			o.Dir = cmp.Or(o.Dir, o.Name)
			o.Taken = prog.strategies.Names()
			if err := chooseTemplate(c, &o.Template); err != nil {
				return err
			}
			names, err := scaffold.Write(o)
			if err != nil {
				return err
			}
			out := c.OutOrStdout()
			for _, name := range names {
				fmt.Fprintln(out, filepath.Join(o.Dir, filepath.FromSlash(name)))
			}
			s := styleFor(out)
			fmt.Fprintf(out, "\n%s\n  cd %s\n", s.bold("next:"), o.Dir)
			if o.Template == "python" {
				_, err = fmt.Fprintln(out, "  sagasu plugin check /usr/bin/python3 --network unix --read $PWD "+
					"--arg -B --arg $PWD/strategy.py")
				return err
			}
			if o.SDK == "" {
				fmt.Fprintln(out, "  go mod tidy  # until sagasu is published: go work init . CHECKOUT")
			}
			_, err = fmt.Fprintf(out, "  go test ./...\n  go build .\n  sagasu plugin check ./%s\n", o.Name)
			return err
		},
	}
	c.Flags().StringVar(&o.Template, "template", "retrieve",
		"what to begin with: "+strings.Join(scaffold.Templates(), ", "))
	c.Flags().Bool("rerank", false, "short for --template rerank")
	c.Flags().Bool("converter", false, "short for --template converter")
	c.Flags().Bool("python", false, "short for --template python")
	c.Flags().StringVar(&o.Dir, "dir", "", "the directory of the module (default ./NAME)")
	c.Flags().StringVar(&o.SDK, "sdk", "", "a checkout of sagasu to build with, until the module is published")
	return c
}

// chooseTemplate reads the shorthand flags for a template.
func chooseTemplate(c *cobra.Command, template *string) error {
	chosen := c.Flags().Changed("template")
	for _, name := range []string{"rerank", "converter", "python"} {
		switch on, _ := c.Flags().GetBool(name); {
		case on && chosen:
			return usageError{fmt.Errorf("--%s chooses a template, and another is chosen: give one of them", name)}
		case on:
			*template, chosen = name, true
		}
	}
	return nil
}

// listed is a strategy as ls shows it.
type listed struct {
	host.Status
	// Effective is its weight in this workspace.
	Effective float64 `json:"effective_weight"`
	// Source is the file that it was installed from; "" when bundled or not installed.
	Source string `json:"source"`
	// Hash is the condition of its executable; "" when bundled or not installed.
	Hash trust.Condition `json:"hash"`
}

func pluginLsCommand(prog *program) *cobra.Command {
	return reportCommand(&cobra.Command{
		Use:     "ls",
		Short:   "Start the strategies and show their state",
		Example: `  sagasu plugin ls --workspace testdata/workspace`,
	}, "print as JSON", withApp(prog, func(ctx context.Context, a *app.App, _ []string) ([]listed, error) {
		a.Host.Start(ctx)
		developing, _ := ctx.Value(developedKey{}).(*developed)
		return listStrategies(a, developing), nil
	}), printListed)
}

// unpinned is what ls shows for the executable of a strategy under development.
const unpinned trust.Condition = "dev"

func listStrategies(a *app.App, developing *developed) []listed {
	weights := a.Weights()
	out := []listed{}
	for _, s := range a.Host.Status() {
		row := listed{Status: s, Effective: s.Weight}
		if w, ok := weights[s.Name]; ok {
			row.Effective = w
		}
		for i := range a.Installed {
			if p := &a.Installed[i]; p.Name == s.Name {
				row.Source = p.Source
				row.Hash, _ = p.Condition() // a file that cannot be read counts as changed
				if developing.is(s.Name) {
					row.Hash = unpinned
				}
			}
		}
		out = append(out, row)
	}
	return out
}

func printListed(w io.Writer, all []listed) error {
	t := table{w: w}
	t.begin("", "NAME", "VERSION", "STAGE", "WEIGHT", "STATE", "PID", "RESTARTS", "HASH", "GRANTS", "SANDBOX",
		"SDK", "LICENCE", "SOURCE", "DESCRIPTION")
	for _, s := range all {
		hash, granted := "bundled", "-"
		if s.Path != "" {
			hash = string(s.Hash)
			granted = grants(s.Grants)
		}
		if s.State == host.StateRefused {
			hash = "none"
		}
		t.row(s.Name, cmp.Or(s.Version, "-"), cmp.Or(string(s.Stage), "-"), fmt.Sprintf("%.2f", s.Effective),
			string(s.State), fmt.Sprint(s.PID), fmt.Sprint(s.Restarts), hash, granted, s.Sandbox,
			cmp.Or(plain(s.SDK), "-"), cmp.Or(plain(s.License), "-"), cmp.Or(plain(s.Source), "-"),
			cmp.Or(plain(s.Summary), "-"))
	}
	err := t.end()
	for _, s := range all {
		if s.State == host.StateRefused || s.State == host.StateFailed {
			fmt.Fprintf(w, "%s: %s\n", s.Name, plain(s.LastError))
		}
	}
	return err
}
