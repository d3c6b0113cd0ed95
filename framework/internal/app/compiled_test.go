package app

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// searching is a strategy for some kinds of corpora.
type searching []snapshot.Kind

func (s searching) Describe() sdk.Description {
	return sdk.Description{Name: "s", Version: "1", Stage: sdk.StageRetrieve, Corpora: s}
}

func (searching) Search(context.Context, *sdk.Request) (*sdk.Result, error) {
	return new(sdk.Result), nil
}

// A strategy that names no kind of corpus searches all, compiled in as well as installed.
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
