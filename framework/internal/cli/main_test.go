package cli

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/sagasu-search/sagasu/plugins"
)

// binary is the sagasu that the tests of this package run: built, as for a
// user, since strategies are that binary started again.
var binary string

func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "plugin" {
		os.Exit(Main(plugins.Bundled(), os.Args[1:])) // a host inside a test starts strategies from this binary
	}
	if os.Getenv(hangVariable) != "" {
		os.Exit(execute(hangingRoot(), os.Args[1:]))
	}
	dir, err := os.MkdirTemp("", "sagasu-test-")
	if err != nil {
		panic(err)
	}
	binary = filepath.Join(dir, "sagasu")
	if runtime.GOOS == "windows" {
		binary += ".exe"
	}
	build := exec.Command("go", "build", fmt.Sprintf("-race=%t", raced()), "-o", dir,
		"github.com/sagasu-search/sagasu/cmd/sagasu", "github.com/sagasu-search/sagasu/cmd/sagasu-bench")
	if out, err := build.CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "build sagasu: %v\n%s", err, out)
		os.RemoveAll(dir)
		os.Exit(1)
	}
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

// repository returns the checkout.
func repository(t testing.TB) string {
	t.Helper()
	dir, err := filepath.Abs(filepath.Join("..", "..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// sample returns the shipped workspace.
func sample(t testing.TB) string { return filepath.Join(repository(t), "testdata", "workspace") }

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: filepath.Join("testdata", "script"),
		Setup: func(env *testscript.Env) error {
			home := filepath.Join(env.WorkDir, "home")
			if err := os.MkdirAll(home, 0o700); err != nil {
				return err
			}
			env.Setenv("HOME", home)
			env.Setenv("USERPROFILE", home)
			env.Setenv("LOCALAPPDATA", home)
			env.Setenv("SAMPLE", sample(t))
			env.Setenv("STRATEGY_TIME_MS", "60000") // many tests at once make starts slow
			env.Setenv("REPO", repository(t))
			for name, value := range toolchain(t, "-mod=mod") {
				env.Setenv(name, value)
			}
			writeTitles(t, filepath.Join(env.WorkDir, "titles"))
			writeModule(t, filepath.Join(env.WorkDir, "paged"), "paged")
			env.Setenv("PATH", filepath.Dir(binary)+string(os.PathListSeparator)+env.Getenv("PATH"))
			return nil
		},
	})
}

// raced reports whether the race detector watches the tests; it then watches the program too.
func raced() bool {
	info, _ := debug.ReadBuildInfo()
	return slices.Contains(info.Settings, debug.BuildSetting{Key: "-race", Value: "true"})
}
