package manuals_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/framework/internal/manuals"
)

func TestUseIsTold(t *testing.T) {
	var got []string
	dir := write(t, map[string]string{"m/g.md": guide, "m/a.json": `{"a": 1}`})
	l := library(dir, func(o *manuals.Options) {
		o.Used = func(id, path string, line int) { got = append(got, fmt.Sprintf("%s/%s:%d", id, path, line)) }
	})
	for _, req := range []manuals.ReadArgs{
		{Ref: ref("g.md", 5)}, {Ref: ref("g.md", 5), Scope: "snippet"}, {Ref: ref("a.json", 0)},
		{Ref: ref("gone.md", 1)}, {Ref: ref("g.md", 99)},
	} {
		_, _ = l.Read(t.Context(), req) // the last two fail and are no use
	}
	if _, err := l.Scan(t.Context(), manuals.ScanArgs{ManualID: "m", Path: "g.md", StartLine: new(2)}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"m/g.md:4", "m/g.md:0", "m/a.json:0", "m/g.md:0"}, got); diff != "" {
		t.Error(diff)
	}
}
