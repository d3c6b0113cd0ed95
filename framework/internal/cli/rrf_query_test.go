package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/framework/internal/patents/lane"
	"github.com/sagasu-search/sagasu/framework/internal/patents/publication"
)

// inventedPatents are those of the sample collection.
func inventedPatents(t *testing.T) (out []*publication.Publication) {
	t.Helper()
	for _, name := range []string{"ja.jsonl", "en.jsonl"} {
		f, err := os.Open(filepath.Join(publicationSample(t), name))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		in := publication.NewReader(f)
		for p, err := in.Next(); err == nil; p, err = in.Next() {
			out = append(out, p)
		}
	}
	return out
}

// A code in a query finds what a filter by prefix finds, in any place of the query.
func TestCodesInQueriesAreFilters(t *testing.T) {
	e := laneEngine(t, inventedPatents(t))
	ids := func(query string, filters ...map[string]any) []string {
		t.Helper()
		raw, _ := json.Marshal(filters)
		all := 1000
		out, err := e.PubIDs(t.Context(), lane.Ask{Lane: lane.Fulltext, Query: query, Options: lane.Options{Filters: raw, TopK: &all}})
		if err != nil {
			t.Fatal(err)
		}
		slices.Sort(out.PubIDs)
		return out.PubIDs
	}
	filter := func(lop, field, op string, value any) map[string]any {
		return map[string]any{"lop": lop, "field": field, "op": op, "value": value}
	}
	for _, tc := range []struct {
		query, same string
		filters     []map[string]any
	}{
		{"ipc:G06V40 AND 装置", "装置", []map[string]any{filter("and", "ipc", "prefix", "G06V40")}},
		{"fi:G06V40/16 顔", "顔", []map[string]any{filter("and", "fi", "prefix", "G06V40/16")}},
		{`cpc:"g06v 40" AND face`, "face", []map[string]any{filter("and", "cpc", "prefix", "G06V40")}},
		{"ft:(5L096 OR 5H029) 装置", "装置", []map[string]any{filter("or", "ft", "prefix", "5L096"), filter("or", "ft", "prefix", "5H029")}},
		{"装置 NOT ipc:G06V40", "装置", []map[string]any{filter("not", "ipc", "prefix", "G06V40")}},
		{"applicant:アオゾラ 装置", "装置", []map[string]any{filter("and", "applicant", "contains", "アオゾラ")}},
	} {
		got, want := ids(tc.query), ids(tc.same, tc.filters...)
		if diff := cmp.Diff(want, got); diff != "" || len(got) == 0 || len(got) == len(ids(tc.same)) {
			t.Errorf("%s: %d found: %s", tc.query, len(got), diff)
		}
	}
	alone, either := ids("ipc:G06V"), ids("ipc:G06V OR 電池")
	if len(alone) == 0 || len(either) <= len(alone) || len(either) < len(ids("電池")) {
		t.Errorf("%d by a code alone, %d by it or a word", len(alone), len(either))
	}
}
