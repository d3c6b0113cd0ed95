package cli

import (
	"runtime"
	"runtime/debug"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestVersionOfABuild(t *testing.T) {
	here := build{Version: "devel", Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	with := func(version, commit, date string) build {
		b := here
		b.Version, b.Commit, b.Date = version, commit, date
		return b
	}
	checkout := []debug.BuildSetting{
		{Key: "vcs", Value: "git"}, {Key: "vcs.revision", Value: "4f2c"}, {Key: "vcs.time", Value: "2026-11-23T12:00:00Z"},
	}
	for name, row := range map[string]struct {
		info *debug.BuildInfo
		want build
	}{
		"nothing recorded": {nil, here},
		"no version":       {&debug.BuildInfo{}, here},
		"outside git":      {&debug.BuildInfo{Main: debug.Module{Version: "(devel)"}}, here},
		"go install":       {&debug.BuildInfo{Main: debug.Module{Version: "v1.2.3"}}, with("v1.2.3", "", "")},
		"checkout": {
			&debug.BuildInfo{Main: debug.Module{Version: "v1.2.3+dirty"}, Settings: checkout},
			with("v1.2.3+dirty", "4f2c", "2026-11-23T12:00:00Z"),
		},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(row.want, buildOf(row.info)); diff != "" {
				t.Error(diff)
			}
		})
	}
}
