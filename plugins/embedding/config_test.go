package embedding

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/x/remote"
)

func TestConfigure(t *testing.T) {
	for config, want := range map[string]string{
		`{"colour":"red"}`:                 "unknown field",
		`{}`:                               "neither the folder of a model nor the URL",
		`{"url":"ftp://x","model":"m"}`:    "http or https",
		`{"url":"http://x/v1"}`:            "name of a model",
		`{"url":"http://x/v1","dir":"/m"}`: "names a folder and a service",
		`{"url":"http://x/v1","model":"m","key_env":"SAGASU_NO_SUCH"}`: "SAGASU_NO_SUCH is not set",
	} {
		if err := New().Configure(t.Context(), json.RawMessage(config)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", config, err)
		}
	}
}

func TestLaunch(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct {
		set  map[string]string
		want sdk.Launch
		err  string
	}{
		{map[string]string{}, sdk.Launch{Off: true}, ""},
		{map[string]string{"EMBED_URL": "https://host/v1", "EMBED_KEY_ENV": "K"}, sdk.Launch{
			Network: []sdk.Grant{{Value: "tcp:443", From: "EMBED_URL"}}, Env: []sdk.Grant{{Value: "K", From: "EMBED_KEY_ENV"}}}, ""},
		{map[string]string{"EMBED_DIR": dir}, sdk.Launch{Reads: []sdk.Grant{{Value: dir, From: "EMBED_DIR"}}}, ""},
		{map[string]string{"EMBED_DIR": filepath.Join(dir, "none")}, sdk.Launch{}, "no such file"},
		{map[string]string{"EMBED_DIR": dir, "EMBED_URL": "http://x/v1"}, sdk.Launch{}, "EMBED_URL is given too"},
		{map[string]string{"EMBED_URL": "x"}, sdk.Launch{}, remote.ErrURL.Error()},
	} {
		got, err := launch(sdk.Configuration{Setting: func(name string) string { return c.set[name] }})
		if (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) {
			t.Errorf("%v: %v, want %q", c.set, err, c.err)
		}
		if c.err == "" && !got.Off && New().Configure(t.Context(), got.Config) != nil && c.set["EMBED_DIR"] != "" {
			t.Errorf("%v: the configuration is refused: %s", c.set, got.Config)
		}
		got.Config = nil
		if diff := cmp.Diff(c.want, got); c.err == "" && diff != "" {
			t.Errorf("%v: %s", c.set, diff)
		}
	}
}
