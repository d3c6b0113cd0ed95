package workspace_test

import (
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"github.com/sagasu-search/sagasu/framework/internal/app"
)

// A setting that may hold a password is read only from the environment and the user's file, and is never shown.
func TestAPasswordIsNeverShown(t *testing.T) {
	const url, shown = "redis://user:geheim@host/3", "redis://host:6379/3"
	b := newBench(t)
	b.user(`redis_url = "` + url + `"`)
	if w := b.mustLoad(); w.Value("REDIS_URL") != shown || !w.Named("REDIS_URL") {
		t.Errorf("REDIS_URL is %q from %s", w.Value("REDIS_URL"), w.Origin("REDIS_URL"))
	}
	b.guest(`redis_url = "redis://geheim@elsewhere"`)
	if _, err := b.load(); err == nil || strings.Contains(err.Error(), "geheim") {
		t.Errorf("from the workspace's own file: %v", err)
	}
	b = newBench(t)
	b.user(`redis_url = "http://geheim@host"`)
	if _, err := b.load(); err == nil || !strings.Contains(err.Error(), "config.toml:1) must be redis://") || strings.Contains(err.Error(), "geheim") {
		t.Errorf("a wrong one: %v", err)
	}
	b.user(`redis_url = ["redis://user:geheim@host"]`)
	if _, err := b.load(); err == nil || !strings.Contains(err.Error(), "config.toml:1: redis_url") || strings.Contains(err.Error(), "geheim") {
		t.Errorf("a list: %v", err)
	}
	flags := pflag.NewFlagSet("", pflag.ContinueOnError)
	app.RegisterFlags(flags)
	if flags.Lookup("redis-url") != nil || flags.Lookup("redis-namespace") == nil {
		t.Error("there is a flag for a password")
	}
}
