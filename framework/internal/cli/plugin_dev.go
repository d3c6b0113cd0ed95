package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hashicorp/go-hclog"
	"github.com/spf13/cobra"

	"github.com/sagasu-search/sagasu/framework/internal/app"
	"github.com/sagasu-search/sagasu/framework/internal/host/trust"
	"github.com/sagasu-search/sagasu/sdk/x/wire"
)

// devOptions is the command line of plugin dev.
type devOptions struct {
	path     string
	grants   trust.Grants
	args     []string // of the strategy
	debug    bool
	reattach string
}

// debugTime is what a strategy gets per query while somebody steps through it, in
// milliseconds.
const debugTime = "600000"

func pluginDevCommand(prog *program) *cobra.Command {
	var o devOptions
	c := &cobra.Command{
		Use:   "dev [PATH] -- COMMAND...",
		Short: "Run a sagasu command with a strategy that is being written",
		Long: `dev runs another command of sagasu with a strategy beside the installed ones, without
installing it. PATH is an executable or a folder with a Go program; when it changes
while the command runs, as a server does, it is built again and takes the place of
the running one. It is confined like an installed one.

With --debug its own package is built without optimisation and it is started alone, unconfined, so
that a debugger can be attached to it; the lines that are printed tell its process
and how another command reaches it (--reattach). Without COMMAND it waits there until
it is interrupted. An executable that is started under a debugger by hand, with the
variable SAGASU_DEBUG set, prints the same JSON.`,
		Example: `  sagasu plugin dev ./my-strategy -- find "refund deadline" --explain
  sagasu plugin dev ./my-strategy -- mcp --workspace ~/docs
  sagasu plugin dev ./my-strategy --debug`,
		Args: takes(0, anyNumber),
		RunE: func(c *cobra.Command, args []string) error {
			command, err := o.read(c, args)
			if err != nil {
				return err
			}
			return o.run(c, prog.strategies, command)
		},
	}
	f := c.Flags()
	grantFlags(f, &o.grants, &o.args)
	f.BoolVar(&o.debug, "debug", false, "start it for a debugger to be attached to")
	f.StringVar(&o.reattach, "reattach", "", "use the process that this `JSON` tells of")
	return c
}

// read parts the command line at its "--".
func (o *devOptions) read(c *cobra.Command, args []string) (command []string, err error) {
	own := args
	if dash := c.ArgsLenAtDash(); dash >= 0 {
		own, command = args[:dash], args[dash:]
	}
	switch {
	case len(own) > 1:
		return nil, usageError{fmt.Errorf("%q is one argument too many: %s", own[1], c.UseLine())}
	case o.debug && o.reattach != "":
		return nil, usageError{errors.New("--debug starts a process, --reattach uses one that runs")}
	case (len(own) == 0) == (o.reattach == ""):
		return nil, usageError{errors.New("give the strategy's PATH, or --reattach")}
	case len(command) == 0 && !o.debug:
		return nil, usageError{fmt.Errorf("a command is missing: %s", c.UseLine())}
	}
	if len(own) == 0 {
		return command, nil
	}
	if err := checkGrants(&o.grants); err != nil {
		return nil, err
	}
	o.path, err = filepath.Abs(own[0])
	return command, err
}

func (o *devOptions) run(c *cobra.Command, strategies app.Strategies, command []string) (err error) {
	ctx, out := c.Context(), c.ErrOrStderr()
	dir, err := os.MkdirTemp("", "sagasu-dev-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	d := &developed{options: o, strategies: strategies, dir: dir, out: out}
	switch {
	case o.reattach != "":
		d.attach = new(wire.Reattach)
		if err := json.Unmarshal([]byte(o.reattach), d.attach); err != nil {
			return usageError{fmt.Errorf("--reattach is %s: it must be the JSON that --debug prints", o.reattach)}
		}
		if err := d.attach.Check(); err != nil {
			return usageError{fmt.Errorf("--reattach is %s: %w", o.reattach, err)}
		}
	case o.debug:
		stop, err := d.startAlone(ctx)
		if err != nil {
			return err
		}
		defer stop()
	default:
		if err := d.build(ctx); err != nil {
			return err
		}
	}
	if len(command) == 0 {
		<-ctx.Done()
		return nil
	}
	if d.attach != nil && !slices.ContainsFunc(command,
		func(a string) bool { return strings.HasPrefix(a, "--strategy-time-ms") }) {
		command = append(command, "--strategy-time-ms", debugTime)
	}
	return d.runCommand(ctx, c.OutOrStdout(), command)
}

// runCommand runs another command of sagasu with the strategy.
func (d *developed) runCommand(ctx context.Context, out io.Writer, command []string) error {
	if err := d.ask(ctx); err != nil {
		return err
	}
	d.banner()
	root := newRoot(d.strategies)
	root.SetArgs(command)
	root.SetOut(out)
	root.SetErr(d.out)
	return root.ExecuteContext(context.WithValue(ctx, developedKey{}, d))
}

// banner says on stderr that nothing pins what runs.
func (d *developed) banner() {
	source, held := d.plugin.Source, ", confined as if it were"
	if d.attach != nil {
		source, held = fmt.Sprintf("process %d", d.attach.PID), ", and nothing confines it"
	}
	fmt.Fprintf(d.out, "DEVELOPMENT: %s is %s; it is not installed%s\n", d.plugin.Name, plain(source), held)
}

// ask makes the entry of the strategy as installing it would.
func (d *developed) ask(ctx context.Context) error {
	e := d.plugin.Entry(nil)
	if d.attach != nil {
		d.plugin.Name = "dev" // until it has said its own
		e = d.plugin.Entry(nil)
		e.Attach = d.attach
	}
	said, err := probe(ctx, e, hclog.NewNullLogger())
	if err != nil {
		return fmt.Errorf("it does not start as a strategy: %w", err)
	}
	d.plugin.Describe(said)
	return nil
}
