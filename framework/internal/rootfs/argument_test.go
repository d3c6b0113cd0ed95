package rootfs_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/framework/internal/rootfs"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

type pathArgs struct {
	From   rootfs.Path   `json:"from_path" required:"the path of a file"`
	To     rootfs.Path   `json:"to_path"`
	Prefix rootfs.Prefix `json:"path_prefix"`
	In     struct {
		Path rootfs.Path `json:"path"`
	} `json:"in"`
}

func TestPathArguments(t *testing.T) {
	for raw, want := range map[string]struct {
		args pathArgs
		logs []any
	}{
		`{"from_path":" a//b.md"}`:                 {pathArgs{From: "a/b.md"}, []any{"from_path", " a//b.md"}},
		`{"from_path":"a","path_prefix":"en\\x/"}`: {pathArgs{From: "a", Prefix: "en/x/"}, []any{"from_path", "a"}},
		`{"from_path":"a","path_prefix":"./x"}`:    {pathArgs{From: "a", Prefix: "x"}, []any{"from_path", "a"}},
		`{"to_path":"b","from_path":"a"}`:          {pathArgs{From: "a", To: "b"}, []any{"from_path", "a", "to_path", "b"}},
		`{"from_path":"a","in":{"path":"c/."}}`: {pathArgs{From: "a", In: struct {
			Path rootfs.Path `json:"path"`
		}{"c"}}, []any{"from_path", "a"}},
	} {
		args, bad := toolset.ParseArguments([]byte(raw))
		if bad != nil {
			t.Fatal(bad)
		}
		got, err := toolset.Decode[pathArgs](args)
		if diff := cmp.Diff(want.args, got); err != nil || diff != "" {
			t.Errorf("%s: %v %s", raw, err, diff)
		}
		if diff := cmp.Diff(want.logs, args.Paths()); diff != "" {
			t.Errorf("%s is logged (-want +got):\n%s", raw, diff)
		}
	}
}

func TestPathArgumentsAreRefused(t *testing.T) {
	long := strings.Repeat("x", 300)
	for raw, want := range map[string]struct {
		code      toolset.Code
		parameter string
	}{
		`{}`:                                    {toolset.InvalidParameter, "from_path"},
		`{"from_path":7}`:                       {toolset.InvalidParameter, "from_path"},
		`{"from_path":""}`:                      {toolset.InvalidPath, "from_path"},
		`{"from_path":"/` + long + `"}`:         {toolset.InvalidPath, "from_path"},
		`{"from_path":"a","path_prefix":".."}`:  {toolset.InvalidPath, "path_prefix"},
		`{"from_path":"a","in":{"path":"c:x"}}`: {toolset.InvalidPath, "in.path"},
	} {
		args, bad := toolset.ParseArguments([]byte(raw))
		if bad != nil {
			t.Fatal(bad)
		}
		_, err := toolset.Decode[pathArgs](args)
		got := toolset.AsError(err)
		if err == nil || got.Code != want.code || got.Details["parameter"] != want.parameter || len(got.Error()) > 300 {
			t.Errorf("%s: %v %v, want %s of %s", raw, err, got.Details, want.code, want.parameter)
		}
		if text, _ := got.Details["got"].(string); len(text) > 210 {
			t.Errorf("%s: the error repeats %d bytes", raw, len(text))
		}
	}
}
