package manuals

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sagasu-search/sagasu/framework/internal/convert"
	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/host"
	"github.com/sagasu-search/sagasu/framework/internal/index"
	"github.com/sagasu-search/sagasu/framework/internal/module"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/framework/internal/workspace"
	"github.com/sagasu-search/sagasu/sdk"
)

// A view that came is given, even where the time ran out just then: nobody else would
// release it.
func TestViewAtTheLastMoment(t *testing.T) {
	dir := t.TempDir()
	manual := filepath.Join(dir, "manuals", "m")
	if err := errors.Join(os.MkdirAll(manual, 0o700), os.WriteFile(filepath.Join(manual, "a.md"), []byte("# A\nb\n"), 0o600)); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		manuals time.Duration // until the manuals are listed
		bar     time.Duration // until the end of the progress is shown
		code    toolset.Code
	}{
		"in time":          {0, 0, ""},
		"just then":        {0, time.Hour, ""},
		"not in this time": {time.Hour, 0, toolset.NotAvailable},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				x, err := index.Open(index.Options{
					Dir: filepath.Join(t.TempDir(), "index"), Source: corpus.ManualSource{},
					Manuals: func(context.Context) ([]corpus.Manual, error) {
						time.Sleep(c.manuals)
						return corpus.Manuals(filepath.Dir(manual), nil)
					},
				})
				if err != nil {
					t.Fatal(err)
				}
				defer x.Close()
				m := &Module{env: &module.Env{Strategies: &host.Host{}, Live: true}, index: x, indexed: func() { time.Sleep(c.bar) }}
				v, err := m.View(t.Context(), time.Second)
				if err != nil {
					if toolset.AsError(err).Code != c.code {
						t.Error(err)
					}
					return
				}
				defer v.Release()
				if c.code != "" || v.Snapshot.Bound() == 0 {
					t.Errorf("a view of %d sections", v.Snapshot.Bound())
				}
			})
		})
	}
}

func TestAnotherConverterMakesAnotherIndex(t *testing.T) {
	w, err := workspace.Load(workspace.LoadOptions{Dir: t.TempDir(), Schema: workspace.Schema{Settings{}}})
	if err != nil {
		t.Fatal(err)
	}
	dirs := map[string]bool{indexDir(w): true}
	for _, version := range []string{"1", "2"} {
		w.Documents = convert.New("", 1, []convert.Converter{{ConverterDescription: sdk.ConverterDescription{Version: version}}})
		dirs[indexDir(w)] = true
	}
	if len(dirs) != 3 {
		t.Errorf("they share %v", dirs)
	}
}

// A workspace without manuals says so whatever is asked of it.
func TestNoManuals(t *testing.T) {
	w, err := workspace.Load(workspace.LoadOptions{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	m := &Module{env: &module.Env{Workspace: w}}
	l := New(Options{Manuals: m.manuals})
	_, ls := l.Ls(t.Context(), LsArgs{ID: manualsID})
	_, list := l.List(t.Context(), ListArgs{})
	_, search := l.Search(t.Context(), SearchArgs{Query: "x", Mode: "plain", Limit: 1})
	_, read := l.Toc(t.Context(), TocArgs{ManualID: "m"})
	for i, err := range []error{ls, list, search, read} {
		if err == nil || toolset.AsError(err).Code != toolset.NotAvailable {
			t.Errorf("%d: %v", i, err)
		}
	}
}
