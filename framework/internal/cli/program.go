package cli

import (
	"context"
	"errors"
	"io"
	"os"
	"regexp"
	"strings"

	"github.com/hashicorp/go-hclog"

	"github.com/sagasu-search/sagasu/framework/internal/app"
	"github.com/sagasu-search/sagasu/framework/internal/index"
	"github.com/sagasu-search/sagasu/framework/internal/module"
	"github.com/sagasu-search/sagasu/framework/internal/workspace"
)

// program is what every subcommand gets: the settings that the command line gives and
// the strategies that are compiled in.
type program struct {
	*workspace.Flags
	strategies app.Strategies
}

// load reads the workspace that the command line names; what is wrong with it is a usage error.
func (p *program) load() (*workspace.Workspace, error) {
	w, err := app.Load(workspace.LoadOptions{Flags: *p.Flags}, p.strategies)
	if err != nil {
		return nil, usageError{err}
	}
	return w, nil
}

// sameWorkspace returns the flags with which another command works on the same workspace.
func (p *program) sameWorkspace() (flags string) {
	if root := p.Values["WORKSPACE_ROOT"]; root != "" {
		flags = " --workspace " + shellWord(root)
	}
	for _, dir := range p.Manuals {
		flags += " --manuals " + shellWord(dir)
	}
	return flags
}

// unquoted is what a shell takes for one word as it stands.
var unquoted = regexp.MustCompile(`^[\p{L}\p{N}_./:@%+=,-]+$`)

// shellWord quotes a word for a shell where it must be.
func shellWord(word string) string {
	if unquoted.MatchString(word) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// open opens the workspace that the command line names. Progress goes to watch, nil for a
// server, which logs as its configuration says; a command logs only what goes wrong.
func open(ctx context.Context, prog *program, watch io.Writer) (*app.App, error) {
	return openFrom(ctx, workspace.LoadOptions{Flags: *prog.Flags}, prog.strategies, watch)
}

// openFrom is open with other sources of the configuration.
func openFrom(
	ctx context.Context, sources workspace.LoadOptions, strategies app.Strategies, watch io.Writer,
) (*app.App, error) {
	options := openOptions(ctx, strategies, watch)
	options.Sources = sources
	a, err := app.Open(ctx, options)
	return a, misconfigured(err)
}

func openOptions(ctx context.Context, strategies app.Strategies, watch io.Writer) app.Options {
	logger := func(w *workspace.Workspace) hclog.Logger { return newLogger(w, watch != nil) }
	options := app.Options{Strategies: strategies, Version: version(), Logger: logger}
	if d, ok := ctx.Value(developedKey{}).(*developed); ok {
		options.Development = d
		options.Logger = func(w *workspace.Workspace) hclog.Logger {
			return d.logger(newLogger(w, watch != nil).GetLevel())
		}
	}
	if watch != nil {
		options.Progress = func(work string) (func(index.Progress), func()) { return progressOf(watch, work+": ") }
	}
	return options
}

// misconfigured makes mistakes in the user's files errors of usage, on one line.
func misconfigured(err error) error {
	if wrong, ok := errors.AsType[*module.ConfigError](err); ok {
		return usageError{errors.New(plain(wrong.Error()))}
	}
	return firstMistake(err)
}

func newLogger(w *workspace.Workspace, quiet bool) hclog.Logger {
	level := hclog.LevelFromString(w.LogLevel)
	if quiet && w.Origin("LOG_LEVEL") == "default" {
		level = hclog.Error
	}
	return loggerAt(level)
}

func loggerAt(level hclog.Level) hclog.Logger {
	return hclog.New(&hclog.LoggerOptions{Name: "sagasu", Level: level, Output: logLines{os.Stderr}, JSONFormat: true})
}
