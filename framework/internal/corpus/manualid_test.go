package corpus_test

import (
	"testing"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

func TestManualIDArguments(t *testing.T) {
	type idArgs struct {
		Ref struct {
			ID corpus.ManualID `json:"manual_id"`
		} `json:"ref"`
	}
	for raw, want := range map[string]string{
		`{}`:                            "",
		`{"ref":{"manual_id":" m/ "}}`:  "m",
		`{"ref":{"manual_id":"a/b"}}`:   "ref.manual_id: invalid_path",
		`{"ref":{"manual_id":".."}}`:    "ref.manual_id: invalid_path",
		`{"ref":{"manual_id":["m"]}}`:   "ref.manual_id: invalid_parameter",
		`{"ref":{"manual_id":"か 説明書"}}`: "か 説明書",
	} {
		args, bad := toolset.ParseArguments([]byte(raw))
		if bad != nil {
			t.Fatal(bad)
		}
		a, err := toolset.Decode[idArgs](args)
		got := string(a.Ref.ID)
		if err != nil {
			e := toolset.AsError(err)
			got = e.Details["parameter"].(string) + ": " + string(e.Code)
		}
		if got != want {
			t.Errorf("%s: %q, want %q", raw, got, want)
		}
	}
}
