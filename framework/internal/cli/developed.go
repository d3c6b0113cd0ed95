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
	"slices"
	"sync"
	"time"

	"github.com/sagasu-search/sagasu/framework/internal/app"
	"github.com/sagasu-search/sagasu/framework/internal/host"
	"github.com/sagasu-search/sagasu/framework/internal/host/trust"
	"github.com/sagasu-search/sagasu/sdk/x/wire"
)

// lookEvery is how often a strategy under development is looked at for changes.
const lookEvery = 300 * time.Millisecond

// developed is the strategy of plugin dev.
type developed struct {
	options    *devOptions
	strategies app.Strategies // of the binary
	dir        string         // holds what was built
	out        io.Writer
	plugin     trust.Plugin
	attach     *wire.Reattach // nil for a process of the host's
	stamp      string         // of what was built

	stop    context.CancelFunc
	watcher sync.WaitGroup
}

// developedKey is where a command finds the strategy in its context.
type developedKey struct{}

var _ app.Development = (*developed)(nil)

// Plugin implements [app.Development].
func (d *developed) Plugin() trust.Plugin { return d.plugin }

// is reports whether the strategy has that name.
func (d *developed) is(name string) bool { return d != nil && d.plugin.Name == name }

// Attach implements [app.Development].
func (d *developed) Attach(e host.Entry) host.Entry {
	if d.is(e.Name) {
		e.Attach = d.attach
	}
	return e
}

// build makes the executable anew.
func (d *developed) build(ctx context.Context, flags ...string) error {
	d.stamp = trust.Stamp(d.options.path)
	into, err := os.MkdirTemp(d.dir, "")
	if err != nil {
		return err
	}
	path, sum, err := trust.Fetch(ctx, d.options.path, into, flags...)
	if err != nil {
		return err
	}
	if d.plugin.Name == "" {
		d.plugin.Name = "dev" // until it has said its own
	}
	d.plugin.Source, d.plugin.Args, d.plugin.Grants = d.options.path, d.options.args, d.options.grants
	d.plugin.Path, d.plugin.SHA256 = path, sum
	return d.plugin.AddInterpreters()
}

// Opened implements [app.Development]. It builds the strategy again when it changes and lets the
// host swap it.
func (d *developed) Opened(a *app.App) {
	if d.attach != nil {
		return
	}
	var ctx context.Context
	ctx, d.stop = context.WithCancel(context.Background())
	d.watcher.Go(func() {
		ticker := time.NewTicker(lookEvery)
		defer ticker.Stop()
		last := d.stamp
		for {
			select {
			case <-ctx.Done():
				return
			case <-ticker.C:
			}
			now := trust.Stamp(d.options.path)
			if now == last && now != d.stamp { // it has changed, and nobody is writing
				d.rebuild(ctx, a)
			}
			last = now
		}
	})
}

// rebuild lets the last process go on until what is built again starts, too.
func (d *developed) rebuild(ctx context.Context, a *app.App) {
	began, last := time.Now(), d.plugin
	err := d.build(ctx)
	if err == nil {
		err = d.ask(ctx)
	}
	if err == nil {
		var config json.RawMessage
		if config, err = a.InstalledConfig(&d.plugin); err == nil {
			err = a.Host.Swap(d.plugin.Entry(config))
		}
	}
	if err != nil {
		d.plugin = last
		if ctx.Err() == nil {
			fmt.Fprintf(d.out, "DEVELOPMENT: the last %s goes on: %v\n", last.Name, err)
		}
		return
	}
	_, failures := a.Host.Start(ctx) // so that the first query finds it running
	switch i := slices.IndexFunc(failures, func(f host.Failure) bool { return d.is(f.Name) }); {
	case ctx.Err() != nil:
	case i >= 0:
		fmt.Fprintf(d.out, "DEVELOPMENT: %s was built again and does not start: %v\n", d.plugin.Name, failures[i].Err)
	default:
		fmt.Fprintf(d.out, "DEVELOPMENT: %s was built again in %v and takes the place of the last\n", d.plugin.Name,
			time.Since(began).Round(time.Millisecond))
	}
}

// Closed implements [app.Development]. It ends the watching.
func (d *developed) Closed() {
	if d.stop != nil {
		d.stop()
		d.watcher.Wait()
	}
}

// startAlone builds the strategy for a debugger and starts it on its own, until stop.
func (d *developed) startAlone(ctx context.Context) (stop func(), err error) {
	if err := d.build(ctx, "-gcflags=-N -l"); err != nil {
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
	stop = func() {
		_ = cmd.Process.Kill() // it may have ended by itself
		_ = cmd.Wait()
	}
	line, err := bufio.NewReader(stdout).ReadBytes('\n')
	d.attach = new(wire.Reattach)
	if err = errors.Join(err, json.Unmarshal(line, d.attach)); err != nil {
		stop()
		return nil, fmt.Errorf("it does not tell where it listens: %w", err)
	}
	fmt.Fprintf(d.out, "process %d waits; attach a debugger:\n  dlv attach %d %s\nand search with it:\n  sagasu "+
		"plugin dev --reattach '%s' -- find QUERY\n",
		d.attach.PID, d.attach.PID, d.plugin.Path, line[:len(line)-1])
	return stop, nil
}
