package cli

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"

	"github.com/hashicorp/go-hclog"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/sagasu-search/sagasu/framework/internal/app"
	"github.com/sagasu-search/sagasu/framework/internal/host"
	"github.com/sagasu-search/sagasu/framework/internal/host/trust"
	"github.com/sagasu-search/sagasu/sdk/x/guard"
	"github.com/sagasu-search/sagasu/sdk/x/wire"
)

// devOptions is the command line of plugin dev.
type devOptions struct {
	path     string
	grants   host.Grants
	args     []string // of the strategy executable
	debug    bool
	reattach string
}

// debugTime is the time limit of a strategy per query while it is debugged, in milliseconds.
const debugTime = "600000"

func pluginDevCommand(prog *program) *cobra.Command {
	var o devOptions
	c := &cobra.Command{
		Use:   "dev [PATH] -- COMMAND...",
		Short: "Run a sagasu command with a strategy that is being written",
		Long: `dev runs another command of sagasu with a strategy beside the installed ones, without
installing it. PATH is an executable or a folder with a Go program; when it changes
while the command runs, as a server does, it is built again and takes the place of
the running one. It is confined like an installed one; a search waits up to 30 s until it
has started and prepared. What it logs, at any level, and prints is shown on stderr.

With --debug its own package is built without optimisation and it is started alone, unconfined, so
that a debugger can be attached to it; the lines that are printed name its process
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
	startFlags(f, &o.grants, &o.args)
	f.BoolVar(&o.debug, "debug", false, "start it for a debugger to be attached to")
	f.StringVar(&o.reattach, "reattach", "", "use the process that this `JSON` describes")
	return c
}

// read splits the command line at its "--".
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
	if len(command) > 0 {
		command = slices.Insert(slices.Clone(command), 1, settingsGiven(c)...)
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

// settingsGiven returns the settings before the "--", for the command after it. If the command sets one too, its value
// comes later and takes precedence.
func settingsGiven(c *cobra.Command) (out []string) {
	c.InheritedFlags().VisitAll(func(f *pflag.Flag) {
		values := []string{f.Value.String()}
		if list, ok := f.Value.(pflag.SliceValue); ok {
			values = list.GetSlice()
		}
		for _, v := range values {
			if f.Changed {
				out = append(out, "--"+f.Name+"="+v)
			}
		}
	})
	return out
}

func (o *devOptions) run(c *cobra.Command, strategies app.Strategies, command []string) (err error) {
	ctx, out := c.Context(), c.ErrOrStderr()
	dir, err := os.MkdirTemp("", "sagasu-dev-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	d := &developed{options: o, strategies: strategies, dir: dir, out: out}
	d.plugin.Name = "dev" // until it has given its own name
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
		if d.plugin, err = d.build(ctx); err != nil {
			return err
		}
	}
	if len(command) == 0 {
		<-ctx.Done()
		return nil
	}
	// Settings of the command come later and take precedence. A build seldom has a version of its own, so that the
	// answers of the one before it would be taken for its answers.
	command = slices.Insert(command, 1, "--sem-cache-enabled=false")
	if d.attach != nil {
		command = slices.Insert(command, 1, "--strategy-time-ms="+debugTime)
	}
	return d.runCommand(ctx, c.OutOrStdout(), command)
}

// runCommand runs another command of sagasu with the strategy.
func (d *developed) runCommand(ctx context.Context, out io.Writer, command []string) error {
	if err := d.ask(ctx, &d.plugin); err != nil {
		return err
	}
	d.banner()
	root := newRoot(d.strategies)
	root.SetArgs(command)
	root.SetOut(out)
	root.SetErr(d.out)
	return root.ExecuteContext(context.WithValue(ctx, developedKey{}, d))
}

// banner warns on stderr that the strategy is not installed, so its hash is not checked.
func (d *developed) banner() {
	source, held := d.plugin.Source, ", confined as if it were"
	if d.attach != nil {
		source, held = fmt.Sprintf("process %d", d.attach.PID), ", and nothing confines it"
	}
	fmt.Fprintf(d.out, "DEVELOPMENT: %s is %s; it is not installed%s\n", d.plugin.Name, plain(source), held)
}

// ask starts the strategy once and completes its entry by the answer, like an installation.
func (d *developed) ask(ctx context.Context, p *trust.Plugin) error {
	said, err := probe(ctx, d.Attach(p.Entry(nil)), hclog.NewNullLogger())
	if err != nil {
		return fmt.Errorf("it does not start as a strategy: %w", err)
	}
	if said.Converter != nil {
		return errors.New("it is a converter: examine it with sagasu plugin check, and install it")
	}
	if slices.Contains(d.strategies.Names(), said.Description.Name) {
		return fmt.Errorf("it calls itself %s, which is bundled", said.Description.Name)
	}
	p.Describe(said.Description)
	return nil
}

// lookEvery is the interval at which a strategy under development is checked for changes.
const lookEvery = 300 * time.Millisecond

// developed is the strategy of plugin dev.
type developed struct {
	options    *devOptions
	strategies app.Strategies // of the binary
	dir        string         // directory for what is built
	out        io.Writer
	plugin     trust.Plugin   // as it was when the command began
	attach     *wire.Reattach // nil if the host starts the process
	stamp      string         // of what was built

	stop    context.CancelFunc
	watcher guard.Group
}

// developedKey is the context key of the strategy.
type developedKey struct{}

var _ app.Development = (*developed)(nil)

// Plugin implements [app.Development].
func (d *developed) Plugin() trust.Plugin { return d.plugin }

func (d *developed) is(name string) bool { return d != nil && d.plugin.Name == name }

// Attach implements [app.Development].
func (d *developed) Attach(e host.Entry) host.Entry {
	if d.is(e.Name) {
		e.Attach = d.attach
	}
	return e
}

// build builds the executable and returns its entry, still without what it says of itself.
func (d *developed) build(ctx context.Context, flags ...string) (p trust.Plugin, err error) {
	d.stamp = trust.Stamp(d.options.path)
	into, err := os.MkdirTemp(d.dir, "")
	if err != nil {
		return p, err
	}
	p = trust.Plugin{
		Name: d.plugin.Name, Source: d.options.path, Args: d.options.args, Grants: d.options.grants,
	}
	if p.Path, p.SHA256, err = trust.Fetch(ctx, d.options.path, into, flags...); err != nil {
		return p, err
	}
	return p, p.AddInterpreters()
}

// Opened implements [app.Development]. It rebuilds the strategy when it changes and lets the host swap it.
func (d *developed) Opened(a *app.App) {
	if d.attach != nil {
		return
	}
	var ctx context.Context
	ctx, d.stop = context.WithCancel(context.Background())
	d.watcher.Log = a.Logger
	d.watcher.Go(func() error {
		ticker := time.NewTicker(lookEvery)
		defer ticker.Stop()
		last := d.stamp
		for {
			select {
			case <-ctx.Done():
				return nil
			case <-ticker.C:
			}
			now := trust.Stamp(d.options.path)
			if now == last && now != d.stamp { // it has changed, and no write is under way
				d.rebuild(ctx, a)
			}
			last = now
		}
	})
}

// rebuild builds the strategy again. The running process serves until the new one is running.
func (d *developed) rebuild(ctx context.Context, a *app.App) {
	began, name := time.Now(), d.plugin.Name
	built, err := d.build(ctx)
	if err == nil {
		err = d.ask(ctx, &built)
	}
	if err == nil && built.Name != name {
		err = fmt.Errorf("it calls itself %s now: call sagasu plugin dev again", built.Name)
	}
	if err == nil {
		var config json.RawMessage
		if config, err = a.InstalledConfig(&built); err == nil {
			err = a.Host.Swap(built.Entry(config))
		}
	}
	if err != nil {
		if ctx.Err() == nil {
			fmt.Fprintf(d.out, "DEVELOPMENT: the last %s goes on: %v\n", name, err)
		}
		return
	}
	_, failures := a.Host.Start(ctx) // so that the first query finds it running
	switch i := slices.IndexFunc(failures, func(f host.Failure) bool { return d.is(f.Name) }); {
	case ctx.Err() != nil:
	case i >= 0:
		fmt.Fprintf(d.out, "DEVELOPMENT: %s was built again and does not start: %v\n", name, failures[i].Err)
	default:
		fmt.Fprintf(d.out, "DEVELOPMENT: %s was built again in %v and takes the place of the last\n", name,
			time.Since(began).Round(time.Millisecond))
	}
}

// Closed implements [app.Development]. It stops watching.
func (d *developed) Closed() {
	if d.stop != nil {
		d.stop()
		_ = d.watcher.Wait() // it has logged its errors
	}
}

// startAlone builds the strategy for a debugger and starts it on its own, until stop is called.
func (d *developed) startAlone(ctx context.Context) (stop func(), err error) {
	if d.plugin, err = d.build(ctx, "-gcflags=-N -l"); err != nil {
		return nil, err
	}
	cmd := exec.Command(d.plugin.Path, d.plugin.Args...)
	cmd.Env = append(os.Environ(), wire.EnvDebug+"=1")
	cmd.Stderr = d.out
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	var prints guard.Group
	stop = func() {
		_ = cmd.Process.Kill() // it may have ended by itself
		_ = prints.Wait()
		_ = cmd.Wait()
	}
	printed := bufio.NewReader(stdout)
	line, err := printed.ReadBytes('\n')
	d.attach = new(wire.Reattach)
	if err = errors.Join(err, json.Unmarshal(line, d.attach)); err != nil {
		stop()
		return nil, fmt.Errorf("it does not tell where it listens: %w", err)
	}
	prints.Go(func() error { _, err := io.Copy(d.out, printed); return err })
	fmt.Fprintf(d.out, "process %d waits; attach a debugger:\n  dlv attach %d %s\nand search with it:\n  sagasu "+
		"plugin dev --reattach '%s' -- find QUERY\n",
		d.attach.PID, d.attach.PID, d.plugin.Path, line[:len(line)-1])
	return stop, nil
}
