package wire

import (
	"errors"
	"maps"
	"path/filepath"
	"slices"

	"github.com/hashicorp/go-hclog"
	"google.golang.org/grpc"

	"github.com/sagasu-search/sagasu/sdk"
)

// Group answers the protocol with several strategies, by name.
type Group []*Server

// NewGroup returns a group. Close it when its transport has stopped. Each strategy has a directory with its name in
// stateDir.
func NewGroup(strategies map[string]sdk.Strategy, logger hclog.Logger, stateDir string) Group {
	var g Group
	for _, name := range slices.Sorted(maps.Keys(strategies)) {
		s := NewServer(strategies[name], logger.With("strategy", name), filepath.Join(stateDir, name))
		s.member = name
		g = append(g, s)
	}
	return g
}

// Register implements [Service].
func (g Group) Register(to grpc.ServiceRegistrar) {
	for _, s := range g {
		s.Register(to)
	}
}

// Close closes all servers, see [Server.Close].
func (g Group) Close() error {
	var errs []error
	for _, s := range g {
		errs = append(errs, s.Close())
	}
	return errors.Join(errs...)
}
