package sdk_test

import (
	"context"
	"testing"

	"github.com/hashicorp/go-hclog"

	"github.com/sagasu-search/sagasu/sdk"
)

func TestSurroundings(t *testing.T) {
	logger := hclog.New(&hclog.LoggerOptions{Name: "mine"})
	ctx := sdk.WithSurroundings(context.Background(), logger, "/state")
	if got := sdk.Logger(ctx); got != logger {
		t.Errorf("Logger = %v, want the one given", got)
	}
	if got := sdk.StateDir(ctx); got != "/state" {
		t.Errorf("StateDir = %q", got)
	}
}

func TestNoSurroundings(t *testing.T) {
	if sdk.Logger(context.Background()) == nil {
		t.Error("Logger is nil without surroundings")
	}
	if got := sdk.StateDir(context.Background()); got != "" {
		t.Errorf("StateDir = %q, want none", got)
	}
}
