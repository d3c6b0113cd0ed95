package cli

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/sagasu-search/sagasu/plugins"
	"github.com/sagasu-search/sagasu/sdk/x/guard"
)

// A command that panics says so in one line; the log tells where, if it is asked to.
func TestAPanicIsOneLine(t *testing.T) {
	inGoroutine := func(*cobra.Command, []string) error {
		return errors.Join(guard.Each(2, func(int) error { panic("a broken\nrule") })...)
	}
	for _, c := range []struct {
		args  []string
		level string
		stack bool
	}{
		{[]string{"break"}, "", false},
		{[]string{"break"}, "info", false},
		{[]string{"break"}, "debug", true},
		{[]string{"break", "--log-level", "debug"}, "info", true},
		{[]string{"break", "--log-level", "error"}, "debug", false},
		{[]string{"apart"}, "", false},
		{[]string{"apart"}, "debug", true},
	} {
		t.Setenv("LOG_LEVEL", c.level)
		code, said := stderrOf(t, func() int {
			root := newRoot(plugins.Bundled())
			breaks := func(*cobra.Command, []string) { panic("a broken\nrule") }
			root.AddCommand(&cobra.Command{Use: "break", Run: breaks}, &cobra.Command{Use: "apart", RunE: inGoroutine})
			return execute(root, c.args)
		})
		lines := strings.Split(strings.TrimSuffix(said, "\n"), "\n")
		if code != exitFailure || !strings.HasPrefix(lines[0], "sagasu: internal error: a broken rule") {
			t.Errorf("%v: code %d, %q", c.args, code, said)
		}
		if told := strings.Contains(said, "crash_test.go"); told != c.stack || (len(lines) > 1) != c.stack {
			t.Errorf("%v, LOG_LEVEL=%s: %q", c.args, c.level, said)
		}
	}
}

// stderrOf runs code and gives what it wrote to standard error.
func stderrOf(t *testing.T, code func() int) (int, string) {
	t.Helper()
	f, err := os.Create(filepath.Join(t.TempDir(), "stderr"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	usual := os.Stderr
	os.Stderr = f
	defer func() { os.Stderr = usual }()
	exit := code()
	said, err := os.ReadFile(f.Name())
	if err != nil {
		t.Fatal(err)
	}
	return exit, string(said)
}
