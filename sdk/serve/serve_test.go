package serve_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/serve"
	"github.com/sagasu-search/sagasu/sdk/x/wire"
)

// envServe turns the test binary into a strategy.
const envServe = "SAGASU_TEST_SERVE"

func TestMain(m *testing.M) {
	if os.Getenv(envServe) != "" {
		serve.Strategy(nothing{})
		return
	}
	os.Exit(m.Run())
}

type nothing struct{}

func (nothing) Describe() sdk.Description { return sdk.Description{Name: "nothing"} }

func (nothing) Search(context.Context, *sdk.Request) (*sdk.Result, error) { return &sdk.Result{}, nil }

func strategy(t *testing.T, env ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	t.Cleanup(cancel)
	cmd := exec.CommandContext(ctx, self)
	cmd.Env = append(os.Environ(), append(env, envServe+"=1")...)
	return cmd
}

func TestStartedByHand(t *testing.T) {
	var stdout, stderr bytes.Buffer
	cmd := strategy(t)
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	exit, ok := errors.AsType[*exec.ExitError](err)
	if !ok || exit.ExitCode() != 1 || stdout.Len() > 0 || !strings.Contains(stderr.String(), "plugin") {
		t.Errorf("%v, stdout %q, stderr %q", err, &stdout, &stderr)
	}
}

func TestLeash(t *testing.T) {
	cmd := strategy(t, wire.EnvExitWithParent+"=stdin", "PLUGIN_PROTOCOL_VERSIONS=1", "PLUGIN_UNIX_SOCKET_DIR="+t.TempDir(),
		wire.Handshake.MagicCookieKey+"="+wire.Handshake.MagicCookieValue)
	leash, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	first := make([]byte, 4)
	if _, err := stdout.Read(first); err != nil || string(first) != "1|1|" {
		t.Errorf("the handshake begins with %q, %v", first, err)
	}
	if err := leash.Close(); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("it was to end by itself: %v", err)
	}
}
