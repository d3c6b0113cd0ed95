package wire

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/proto"
	"pgregory.net/rapid"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	pb "github.com/sagasu-search/sagasu/sdk/x/wire/strategypb"
)

func TestGatheringCrosses(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		word, number := rapid.StringMatching(`[a-zあ-ん/]{0,8}`), rapid.IntRange(0, 1<<20)
		req := &sdk.GatherRequest{
			Kind: snapshot.KindManual, Query: sdk.Query{Raw: word.Draw(t, "raw"), Text: "text"}, Limit: number.Draw(t, "limit"),
			Filter: sdk.GatherFilter{Groups: drawWords(t, "groups"), Path: word.Draw(t, "path"), Keywords: [][]string{drawWords(t, "keywords")}},
			Cursor: word.Draw(t, "cursor"), Generation: word.Draw(t, "generation"), Sample: rapid.Bool().Draw(t, "sample"),
			Stored: rapid.Bool().Draw(t, "stored"),
			Terms:  drawTerms(t),
		}
		if diff := cmp.Diff(req, unpackGatherRequest(crossed(t, packGatherRequest(req), &pb.GatherRequest{})), same); diff != "" {
			t.Fatal(diff)
		}
		found := &sdk.Gathered{
			Total: number.Draw(t, "total"), Exact: rapid.Bool().Draw(t, "exact"), Answered: 2, Expected: 3,
			Generation: word.Draw(t, "generation"), Cursor: word.Draw(t, "cursor"), Stored: drawWords(t, "stored"),
			Statistics: snapshot.Statistics{Sections: number.Draw(t, "sections"), Lengths: []float64{1, .5}, DocFreqs: map[string]int{"a": number.Draw(t, "df")}},
			Sections: []sdk.GatheredSection{{
				Key: word.Draw(t, "key"), Fields: drawWords(t, "fields"), Keywords: drawWords(t, "keywords"), Score: rapid.Float64().Draw(t, "score"),
				Section: snapshot.Section{Group: "m", Path: word.Draw(t, "path"), Title: "t", Node: snapshot.NodeJSON, Level: 2, Start: 1, End: 4, OwnEnd: 3, Body: 2, Parent: snapshot.None},
			}},
		}
		if diff := cmp.Diff(found, unpackGathered(crossed(t, packGathered(found), &pb.Gathered{})), same); diff != "" {
			t.Fatal(diff)
		}
	})
}

func FuzzUnpackGathered(f *testing.F) {
	f.Add([]byte("\n\x0b\n\x01a\x12\x01m\x1a\x03a.m"))
	f.Fuzz(func(t *testing.T, data []byte) {
		in := &pb.Gathered{}
		if proto.Unmarshal(data, in) != nil {
			return
		}
		found := unpackGathered(in)
		if again := unpackGathered(packGathered(found)); !cmp.Equal(found, again, same) {
			t.Error(cmp.Diff(found, again, same))
		}
	})
}

// gatherer answers depending on its query.
type gatherer struct{ recorder }

func (g *gatherer) Gather(_ context.Context, req *sdk.GatherRequest) (*sdk.Gathered, error) {
	switch req.Query.Raw {
	case "nothing":
		return nil, nil
	}
	return &sdk.Gathered{Generation: req.Generation + "+"}, nil
}

func TestGather(t *testing.T) {
	client, _ := connect(t, &gatherer{})
	found, err := client.Gather(t.Context(), &sdk.GatherRequest{Generation: "1"})
	if err != nil || found.Generation != "1+" {
		t.Errorf("%+v, %v", found, err)
	}
	for raw, want := range map[string]string{"nothing": "neither sections nor error"} {
		_, err := client.Gather(t.Context(), &sdk.GatherRequest{Query: sdk.Query{Raw: raw}})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", raw, err, want)
		}
	}
	client, _ = connect(t, &recorder{})
	if _, err := client.Gather(t.Context(), &sdk.GatherRequest{}); err == nil || !strings.Contains(err.Error(), "does not gather") {
		t.Errorf("one that does not gather: %v", err)
	}
}
