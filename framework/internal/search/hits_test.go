package search

import (
	"context"
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/sdktest"
)

func TestJSONHitsPointAtTheBestLine(t *testing.T) {
	body := "{\n" + strings.Repeat("  \"filler\": \"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\",\n", 100) + "  \"fault\": \"disk\"\n}\n"
	e := engine(t, []sdktest.Section{{Path: "codes.json", Heading: "codes", Body: body}}, fakes{list: []words{exact}})
	answer, err := find(t, e, request("disk"))
	if err != nil {
		t.Fatal(err)
	}
	hits, _ := e.Hits(context.Background(), HitsRequest{TraceID: answer.TraceID, Kind: "candidates", Limit: 1})
	if line := hits.Items[0].Ref.StartLine; line != 102 {
		t.Errorf("best line %d, want 102", line)
	}
	snippets, err := e.Snippets(context.Background(), answer.TraceID, 1, 60)
	if err != nil || len(snippets) != 1 || !strings.Contains(snippets[0].Text, "disk") {
		t.Fatalf("snippets %+v, %v", snippets, err)
	}
	m := snippets[0].Marks[0]
	if got := snippets[0].Text[m[0]:m[1]]; got != "disk" {
		t.Errorf("marked %q", got)
	}
}

func TestTracesOutliveTheEngine(t *testing.T) {
	e := engine(t, manyRows(9), fakes{list: []words{exact}})
	answer, err := find(t, e, request("disk"))
	if err != nil {
		t.Fatal(err)
	}
	live, _ := e.Hits(context.Background(), HitsRequest{TraceID: answer.TraceID, Kind: "candidates", Limit: 9, Explain: true})
	e.Close()
	later := New(e.Options)
	stored, err := later.Hits(context.Background(), HitsRequest{TraceID: answer.TraceID, Kind: "candidates", Limit: 9, Explain: true})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(live, stored); diff != "" {
		t.Errorf("a stored trace differs: %s", diff)
	}
}

func TestTermsAreToldOfEachStrategy(t *testing.T) {
	narrow := words{name: "narrow", stage: sdk.StageRetrieve, signals: []string{sdk.SignalNormalized}, only: "failure"}
	reranker := words{name: "reranker", stage: sdk.StageRerank, signals: []string{sdk.SignalLateRerank}, only: "disk"}
	e := engine(t, []sdktest.Section{{Heading: "A", Body: "disk failure"}}, fakes{list: []words{exact, narrow, reranker}})
	answer, err := find(t, e, request("disk failure"))
	if err != nil {
		t.Fatal(err)
	}
	e.Close()
	stored, err := New(e.Options).Hits(t.Context(), HitsRequest{TraceID: answer.TraceID, Kind: "candidates", Limit: 1, Explain: true})
	if err != nil {
		t.Fatal(err)
	}
	got := map[string][]string{}
	for _, x := range stored.Items[0].Explain {
		got[x.Source] = x.Terms
	}
	want := map[string][]string{
		"exact": {"disk", "failure"}, "narrow": {"failure"}, "reranker": {"disk"}, "coverage": nil,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("terms (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"disk", "failure"}, stored.Items[0].Terms); diff != "" {
		t.Errorf("terms of all (-want +got):\n%s", diff)
	}
}

// kinds returns the kinds that manual_hits accepts.
func kinds() []string {
	kind, _ := reflect.TypeFor[HitsRequest]().FieldByName("Kind")
	return strings.Split(kind.Tag.Get("enum"), ",")
}

func TestEveryKindIsServed(t *testing.T) {
	e := engine(t, manyRows(9), fakes{list: []words{exact}})
	answer, _ := find(t, e, request("disk"))
	for _, kind := range kinds() {
		h, err := e.Hits(context.Background(), HitsRequest{TraceID: answer.TraceID, Kind: kind, Offset: 1000, Limit: 5})
		if err != nil || h.Items == nil {
			t.Errorf("%s: %+v, %v", kind, h, err)
		}
	}
	if _, err := e.Hits(context.Background(), HitsRequest{TraceID: answer.TraceID, Kind: "wishes", Limit: 5}); toolset.AsError(err).Code != toolset.InvalidParameter {
		t.Errorf("unknown kind: %v", err)
	}
}

func TestRowsThatAreAskedForAreThere(t *testing.T) {
	e := engine(t, shelf, fakes{list: []words{picky}})
	for query, want := range map[string]string{"disk failure": `"inline_hits":[{"ref":`, "nowhere": `"inline_hits":[]`} {
		req := request(query)
		for _, req.InlineHits = range []int{2, 0} {
			answer, err := find(t, e, req)
			if err != nil {
				t.Fatal(err)
			}
			text, err := json.Marshal(answer)
			if err != nil || strings.Contains(string(text), want) != (req.InlineHits > 0) || strings.Contains(string(text), "inline_hits") != (req.InlineHits > 0) {
				t.Errorf("%s, %d: %s, %v", query, req.InlineHits, text, err)
			}
		}
	}
}
