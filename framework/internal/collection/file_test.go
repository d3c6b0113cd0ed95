package collection_test

import (
	"bytes"
	"context"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/go-hclog"

	"github.com/sagasu-search/sagasu/framework/internal/collection"
	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/host"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

func TestFilesAreReadByTheirLines(t *testing.T) {
	c, _, _ := opened(t)
	for _, m := range manuals(t) {
		listed, _, err := corpus.Walk(t.Context(), m)
		if err != nil {
			t.Fatal(err)
		}
		files, err := c.Files(t.Context(), m.ID, "", 10_000)
		if err != nil {
			t.Fatal(err)
		}
		var want, got []string
		for _, f := range listed {
			want = append(want, f.Path)
		}
		for _, f := range files {
			got = append(got, f.Path)
			own, err := corpus.Open(t.Context(), m, f.Path)
			if err != nil {
				t.Fatal(err)
			}
			lines, read := corpus.NewLines(own.Text), corpus.NewLines(f.Text)
			for s := range corpus.Sections(f.Path, own.Text) {
				if s.Altered {
					continue // its heading has markup, or front matter stands before it
				}
				a, b := own.Text[lines.Start(s.Start):lines.Start(s.OwnEnd+1)], f.Text[read.Start(s.Start):read.Start(s.OwnEnd+1)]
				if !bytes.Equal(a, b) {
					t.Errorf("%s:%d: %s", f.Path, s.Start, cmp.Diff(string(a), string(b)))
				}
			}
		}
		slices.Sort(want)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	}
	if _, err := c.Files(t.Context(), "aoba-nas", "", 10); toolset.AsError(err).Code != toolset.NeedsNarrowScope {
		t.Errorf("too many sections: %v", err)
	}
}

// apart is an engine whose only section lies that many lines below the start of its file.
type apart int

func (apart) Search(context.Context, string, *sdk.Request) (*sdk.Result, error) { return nil, nil }

func (apart) Strategies(context.Context) ([]sdk.Description, []host.Failure) { return nil, nil }

func (e apart) Gather(context.Context, string, *sdk.GatherRequest) (*sdk.Gathered, error) {
	at := snapshot.Section{Path: "a.md", Start: int(e), Body: int(e), OwnEnd: int(e), End: int(e)}
	return &sdk.Gathered{Sections: []sdk.GatheredSection{{Section: at, Fields: []string{"", "text", ""}}}}, nil
}

func TestGapsBetweenSectionsAreBounded(t *testing.T) {
	for lines, fits := range map[int]bool{1000: true, 1 << 26: false} {
		c, err := collection.Open(collection.Options{
			Dir: t.TempDir(), Strategies: apart(lines), Kind: snapshot.KindManual, Logger: hclog.NewNullLogger(),
		})
		if err != nil {
			t.Fatal(err)
		}
		files, err := c.Files(t.Context(), "m", "a.md", 10)
		if fits != (err == nil) || fits && len(files[0].Text) != lines-1+len("text") {
			t.Errorf("%d lines apart: %v", lines, err)
		}
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	}
}
