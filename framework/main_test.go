package framework_test

import (
	"os"
	"testing"

	"github.com/sagasu-search/sagasu/framework"
	"github.com/sagasu-search/sagasu/plugins/loose"
	"github.com/sagasu-search/sagasu/plugins/normalized"
	"github.com/sagasu-search/sagasu/sdk"
)

// strategies are those of the tests, crowded those and one more.
var strategies, crowded framework.Strategies

func TestMain(m *testing.M) {
	crowded = framework.Serve(normalized.Entry(), loose.Entry(),
		sdk.Entry{Name: "crowd", New: func() sdk.Strategy { return &crowd{} }})
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
