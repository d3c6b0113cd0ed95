package sdk

import (
	"context"

	"github.com/hashicorp/go-hclog"
)

type surroundingsKey struct{}

type surroundings struct {
	logger   hclog.Logger
	stateDir string
}

// WithSurroundings returns a context that carries the values of [Logger] and [StateDir]. The caller
// of a strategy sets it; a strategy only reads it.
func WithSurroundings(ctx context.Context, logger hclog.Logger, stateDir string) context.Context {
	return context.WithValue(ctx, surroundingsKey{}, surroundings{logger, stateDir})
}

// Logger returns the logger of the strategy. Its output goes to the host's log. Never log the text
// of a query or a section: logs leave the machine.
func Logger(ctx context.Context) hclog.Logger {
	s, _ := ctx.Value(surroundingsKey{}).(surroundings)
	if s.logger == nil {
		return hclog.NewNullLogger()
	}
	return s.logger
}

// StateDir returns the only directory, besides the temporary one, that a strategy may write to. No
// other strategy shares it, and it survives restarts. It is "" when the strategy has no state
// directory.
func StateDir(ctx context.Context) string {
	s, _ := ctx.Value(surroundingsKey{}).(surroundings)
	return s.stateDir
}
