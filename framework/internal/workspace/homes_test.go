package workspace

import (
	"runtime"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSystemHomes(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the paths below are written with slashes")
	}
	env := map[string]string{"HOME": "/home/x", "AppData": "/r", "LocalAppData": "/l", "USERPROFILE": "/u"}
	get := func(name string) string { return env[name] }
	want := map[string]homes{
		"linux":   {"/home/x/.config/sagasu", "/home/x/.cache/sagasu", "/home/x/.local/state/sagasu", "/home/x"},
		"darwin":  {"/home/x/Library/Application Support/sagasu", "/home/x/Library/Caches/sagasu", "/home/x/Library/Application Support/sagasu/state", "/home/x"},
		"windows": {"/r/sagasu", "/l/sagasu/cache", "/l/sagasu/state", "/u"},
	}
	for goos, h := range want {
		if diff := cmp.Diff(h, systemHomes(goos, get), cmp.AllowUnexported(homes{})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", goos, diff)
		}
	}
	env["XDG_STATE_HOME"], env["XDG_CACHE_HOME"] = "/s", "relative"
	got := systemHomes("linux", get)
	if got.state != "/s/sagasu" || got.cache != "/home/x/.cache/sagasu" {
		t.Errorf("XDG: %+v", got)
	}
}
