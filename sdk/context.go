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

// WithSurroundings returns a context that carries what [Logger] and [StateDir]
// give. Whoever calls a strategy sets it; a strategy only reads it.
func WithSurroundings(ctx context.Context, logger hclog.Logger, stateDir string) context.Context {
	return context.WithValue(ctx, surroundingsKey{}, surroundings{logger, stateDir})
}

// Logger returns the logger of the strategy; what it logs reaches the host's log.
// Never log a query's text or a section's: logs leave the machine.
func Logger(ctx context.Context) hclog.Logger {
	s, _ := ctx.Value(surroundingsKey{}).(surroundings)
	if s.logger == nil {
		return hclog.NewNullLogger()
	}
	return s.logger
}

// StateDir returns the only directory, besides the temporary one, that a strategy
// may write to. It belongs to the strategy alone and survives restarts; ""
// when there is none.
func StateDir(ctx context.Context) string {
	s, _ := ctx.Value(surroundingsKey{}).(surroundings)
	return s.stateDir
}
