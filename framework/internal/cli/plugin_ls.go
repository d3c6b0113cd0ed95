package cli

import (
	"cmp"
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/sagasu-search/sagasu/framework/internal/app"
	"github.com/sagasu-search/sagasu/framework/internal/host"
	"github.com/sagasu-search/sagasu/framework/internal/host/trust"
)

// listed is a strategy as ls shows it.
type listed struct {
	host.Status
	// Effective is the weight that it has in this workspace.
	Effective float64 `json:"effective_weight"`
	// Source is what it was installed from; "" when bundled or not installed.
	Source string `json:"source"`
	// Hash is what became of its executable; "" when bundled or not installed.
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

// unpinned is what ls says of the executable of a strategy under development.
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
				row.Hash, _ = p.Condition() // one that cannot be read counts as changed
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
	t.begin("", "NAME", "VERSION", "STAGE", "WEIGHT", "STATE", "PID", "RESTARTS", "HASH", "GRANTS", "SANDBOX")
	for _, s := range all {
		hash, granted := "bundled", "-"
		if s.Path != "" {
			hash, granted = string(s.Hash), grants(s.Network, s.Reads, s.Env)
		}
		if s.State == host.StateRefused {
			hash = "none"
		}
		t.row(s.Name, cmp.Or(s.Version, "-"), cmp.Or(string(s.Stage), "-"), fmt.Sprintf("%.2f", s.Effective),
			string(s.State), fmt.Sprint(s.PID), fmt.Sprint(s.Restarts), hash, granted, s.Sandbox)
	}
	err := t.end()
	for _, s := range all {
		if s.State == host.StateRefused || s.State == host.StateFailed {
			fmt.Fprintf(w, "%s: %s\n", s.Name, plain(s.LastError))
		}
	}
	return err
}
