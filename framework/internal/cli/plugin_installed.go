package cli

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/sagasu-search/sagasu/framework/internal/host/trust"
	"github.com/sagasu-search/sagasu/framework/internal/workspace"
)

// verified is an installed strategy with what became of its executable.
type verified struct {
	trust.Plugin
	Condition trust.Condition `json:"condition"`
}

func pluginVerifyCommand(prog *program) *cobra.Command {
	return reportCommand(&cobra.Command{
		Use:   "verify [NAME]",
		Short: "Compare installed strategies with what was installed",
		Long: `verify hashes the executable of each installed strategy, or of one, and compares
it with plugins.lock. It starts nothing, and ends with 1 when one differs or is
gone. The same comparison precedes every start.`,
		Example:           `  sagasu plugin verify`,
		ValidArgsFunction: completeInstalled(prog),
	}, "print as JSON", func(_ *cobra.Command, args []string) ([]verified, error) {
		w, err := prog.load()
		if err != nil {
			return nil, err
		}
		all, err := verify(w, args)
		if err != nil {
			return nil, err
		}
		return all, reportedIf(slices.ContainsFunc(all, func(v verified) bool { return v.Condition != trust.Intact }))
	}, printVerified)
}

func verify(w *workspace.Workspace, names []string) ([]verified, error) {
	plugins, err := trust.Read(w.ConfigHome)
	if err != nil {
		return nil, err
	}
	out := []verified{}
	for i := range plugins {
		if len(names) > 0 && plugins[i].Name != names[0] {
			continue
		}
		condition, err := plugins[i].Condition()
		if err != nil {
			return nil, err
		}
		out = append(out, verified{plugins[i], condition})
	}
	if len(names) > 0 && len(out) == 0 {
		return nil, notInstalled(w, names[0])
	}
	return out, nil
}

func printVerified(w io.Writer, all []verified) error {
	if len(all) == 0 {
		fmt.Fprintln(w, "no strategy is installed")
	}
	t := tabwriter.NewWriter(w, 0, 4, 2, ' ', 0)
	for _, v := range all {
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\n", v.Name, v.Condition, v.SHA256, plain(v.Path))
	}
	return t.Flush()
}

func pluginRmCommand(prog *program) *cobra.Command {
	return &cobra.Command{
		Use:               "rm NAME",
		Short:             "Remove an installed strategy",
		Example:           `  sagasu plugin rm titles`,
		ValidArgsFunction: completeInstalled(prog),
		RunE: func(c *cobra.Command, args []string) error {
			w, err := prog.load()
			if err != nil {
				return err
			}
			p, err := installer(w, prog.strategies.Names()).Remove(c.Context(), args[0])
			if errors.Is(err, trust.ErrNotInstalled) {
				return notInstalled(w, args[0])
			}
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(c.OutOrStdout(), "removed %s, which came from %s\n", p.Name, plain(p.Source))
			return err
		},
	}
}

// notInstalled says which strategy may be meant.
func notInstalled(w *workspace.Workspace, name string) error {
	plugins, err := trust.Read(w.ConfigHome)
	if err != nil {
		return err
	}
	names := namesOf(plugins)
	if len(names) == 0 {
		return errors.New("no strategy is installed")
	}
	return unknown("installed strategy", name, names)
}

func namesOf(plugins []trust.Plugin) (names []string) {
	for i := range plugins {
		names = append(names, plugins[i].Name)
	}
	return names
}
