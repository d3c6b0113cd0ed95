package manuals_test

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/manuals"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

func names(t *testing.T, l *manuals.Library, id string) []string {
	t.Helper()
	got, err := l.Ls(t.Context(), manuals.LsArgs{ID: id})
	if err != nil {
		t.Fatal(err)
	}
	names := []string{}
	for _, item := range got.Items {
		names = append(names, item.Kind+" "+item.Name)
	}
	return names
}

func TestLs(t *testing.T) {
	l := library(write(t, map[string]string{
		"b/x.md": "", "a/z.md": "", "a/B.JSON": "", "a/sub dir/x.md": "", "a/sub dir/y.png": "", "a/.git/x.md": "", "a/pic.png": "", "a/empty/x.png": "",
	}))
	got, err := l.Ls(t.Context(), manuals.LsArgs{ID: "manuals"})
	want := &manuals.Listing{ID: "manuals", Items: []manuals.Item{{ID: "a", Name: "a", Kind: "dir"}, {ID: "b", Name: "b", Kind: "dir"}}}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Error(err, diff)
	}
	got, err = l.Ls(t.Context(), manuals.LsArgs{ID: "a"})
	want = &manuals.Listing{ID: "a", Items: []manuals.Item{
		{ID: "dir::a::empty", Name: "empty", Kind: "dir", Path: "empty"},
		{ID: "dir::a::sub%20dir", Name: "sub dir", Kind: "dir", Path: "sub dir"},
		{ID: "file::a::B.JSON", Name: "B.JSON", Kind: "file", Path: "B.JSON", FileType: "json"},
		{ID: "file::a::z.md", Name: "z.md", Kind: "file", Path: "z.md", FileType: "md"},
	}}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Error(err, diff)
	}
	if diff := cmp.Diff([]string{"file x.md"}, names(t, l, "dir::a::sub%20dir")); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{}, names(t, l, "dir::a::empty")); diff != "" {
		t.Error(diff)
	}
}

func TestLsIDsRoundTrip(t *testing.T) {
	for _, name := range []string{"a::b", "100% 保険", "dir::x", "file::x::y", "manuals", "%3A", "か\u3099", "a　b"} {
		l := library(write(t, map[string]string{name + "/" + name + "/" + name + "/leaf.md": ""}))
		id := "manuals"
		for depth := range 3 {
			got, err := l.Ls(t.Context(), manuals.LsArgs{ID: id})
			if err != nil || len(got.Items) != 1 || got.Items[0].Name != name {
				t.Fatalf("%q, depth %d, id %q: %+v, %v", name, depth, id, got, err)
			}
			id = got.Items[0].ID
		}
		if diff := cmp.Diff([]string{"file leaf.md"}, names(t, l, id)); diff != "" {
			t.Errorf("%q: %s", name, diff)
		}
	}
}

func TestLsRefuses(t *testing.T) {
	l := library(write(t, map[string]string{"insurance/x.md": "", "insurance/sub/y.md": ""}))
	for id, code := range map[string]toolset.Code{
		"file::insurance::x.md": toolset.InvalidParameter,
		"dir::insurance":        toolset.InvalidParameter,
		"dir::::x":              toolset.InvalidParameter,
		"dir::insurance::%zz":   toolset.InvalidParameter,
		"dir::insurance::x.md":  toolset.InvalidPath,
		"dir::insurance::../..": toolset.InvalidPath,
		"dir::insurance::sud":   toolset.NotFound,
		"dir::nope::sub":        toolset.NotFound,
		"insurence":             toolset.NotFound,
		"..":                    toolset.InvalidPath,
		"/etc":                  toolset.InvalidPath,
		"":                      toolset.InvalidPath, // null is not given, "" is no manual
	} {
		t.Run(id, func(t *testing.T) {
			_, err := l.Ls(t.Context(), manuals.LsArgs{ID: id})
			wantFault(t, err, code, "id")
		})
	}
	_, err := l.Ls(t.Context(), manuals.LsArgs{ID: "insurence"})
	if diff := cmp.Diff([]string{"insurance"}, toolset.AsError(err).Details["did_you_mean"]); diff != "" {
		t.Error(diff)
	}
}

func TestLsWithoutManuals(t *testing.T) {
	if diff := cmp.Diff([]string{}, names(t, library(t.TempDir()), "manuals")); diff != "" {
		t.Error(diff)
	}
	broken := manuals.New(manuals.Options{Manuals: func(context.Context) ([]corpus.Manual, error) {
		return corpus.Manuals(filepath.Join(t.TempDir(), "missing"), nil)
	}})
	_, err := broken.Ls(t.Context(), manuals.LsArgs{ID: "manuals"})
	wantFault(t, err, toolset.NotAvailable, "MANUALS_ROOT")
}
