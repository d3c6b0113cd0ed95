package app

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/plugins/html"
	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// searching is a strategy for the given kinds of corpora.
type searching []snapshot.Kind

func (s searching) Describe() sdk.Description {
	return sdk.Description{Name: "s", Version: "1", Stage: sdk.StageRetrieve, Corpora: s}
}

func (searching) Search(context.Context, *sdk.Request) (*sdk.Result, error) {
	return new(sdk.Result), nil
}

// A strategy that names no kind of corpus searches all kinds, whether it is compiled in or installed.
func TestStrategiesOfACorpus(t *testing.T) {
	var all Strategies
	for name, kinds := range map[string]searching{
		"any": nil, "manuals": {snapshot.KindManual}, "patents": {snapshot.KindPublication},
	} {
		all = append(all, sdk.Entry{Name: name, New: func() sdk.Strategy { return kinds }})
	}
	for kind, want := range map[snapshot.Kind]map[string]bool{
		snapshot.KindManual: {"any": true, "manuals": true}, snapshot.KindPublication: {"any": true, "patents": true},
	} {
		got := map[string]bool{}
		for _, name := range all.Of(kind).Names() {
			got[name] = true
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", kind, diff)
		}
	}
}

func TestAnEntryMakesWhatItNames(t *testing.T) {
	make := func() sdk.Strategy { return searching(nil) }
	convert := func() sdk.Converter { return html.New() }
	for what, tc := range map[string]struct {
		entry sdk.Entry
		err   string
	}{
		"a strategy":        {sdk.Entry{Name: "s", New: make}, ""},
		"a converter":       {sdk.Entry{Name: "html", NewConverter: convert}, ""},
		"nothing":           {sdk.Entry{Name: "s"}, "one of New and NewConverter"},
		"both":              {sdk.Entry{Name: "s", New: make, NewConverter: convert}, "one of New and NewConverter"},
		"another strategy":  {sdk.Entry{Name: "t", New: make}, `describes itself as "s"`},
		"another converter": {sdk.Entry{Name: "s", NewConverter: convert}, `describes itself as "html"`},
	} {
		err := Strategies{tc.entry}.check()
		if (err != nil) != (tc.err != "") || err != nil && !strings.Contains(err.Error(), tc.err) {
			t.Errorf("%s: %v, want %q", what, err, tc.err)
		}
	}
}
