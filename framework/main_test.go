package framework_test

import (
	"os"
	"testing"

	"github.com/sagasu-search/sagasu/framework"
	"github.com/sagasu-search/sagasu/plugins/loose"
	"github.com/sagasu-search/sagasu/plugins/normalized"
)

var strategies framework.Strategies

func TestMain(m *testing.M) {
	strategies = framework.Serve(normalized.Entry(), loose.Entry())
	home, err := os.MkdirTemp("", "sagasu-framework-")
	if err != nil {
		panic(err)
	}
	for _, name := range []string{"HOME", "USERPROFILE", "LOCALAPPDATA", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"} {
		os.Setenv(name, home)
	}
	code := m.Run()
	os.RemoveAll(home)
	os.Exit(code)
}
