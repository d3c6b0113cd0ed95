package wire

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/x/sample"
	pb "github.com/sagasu-search/sagasu/sdk/x/wire/strategypb"
)

// A judge's verdicts cross unchanged: an empty list stays distinct from an absent one.
func TestVerdictsCross(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		quote := rapid.Custom(func(t *rapid.T) sdk.Quote {
			return sdk.Quote{Section: rapid.Uint32().Draw(t, "section"), Text: rapid.String().Draw(t, "text")}
		})
		share := rapid.Float64Range(0, 1)
		want := &sdk.Result{}
		if rapid.Bool().Draw(t, "answers") {
			want.Answers = rapid.SliceOfN(rapid.Custom(func(t *rapid.T) sdk.Answer {
				return sdk.Answer{Quote: quote.Draw(t, "quote"), Probability: share.Draw(t, "probability")}
			}), 0, mostJudged-1).Draw(t, "list")
		}
		if rapid.Bool().Draw(t, "tensions") {
			want.Tensions = rapid.SliceOfN(rapid.Custom(func(t *rapid.T) sdk.Tension {
				return sdk.Tension{
					A: quote.Draw(t, "a"), B: quote.Draw(t, "b"), Probability: share.Draw(t, "probability"),
					Kind: rapid.SampledFrom(sdk.TensionKinds()).Draw(t, "kind"),
				}
			}), 0, mostJudged-1).Draw(t, "list")
		}
		packed, err := packResult(want)
		if err != nil {
			t.Fatal(err)
		}
		got, err := unpackResult(crossed(t, packed, &pb.SearchResponse{}))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatal(diff)
		}
	})
}

func TestPassagesCross(t *testing.T) {
	snap, err := sample.Sections(t.TempDir(), "manual-000001", snapshot.KindManual, sample.Section{Body: "text"})
	must(t, err)
	defer snap.Close()
	want := []sdk.Passage{{Section: 7, Path: "a.md", Heading: "保証 > 期間", Text: "30日です。\n"}, {}}
	in, err := packRequest(&sdk.Request{Corpus: snap, Limit: 1, Passages: want})
	must(t, err)
	got, err := unpackRequest(in)
	must(t, err)
	if diff := cmp.Diff(want, got.Passages); diff != "" {
		t.Error(diff)
	}
}

func TestMalformedVerdicts(t *testing.T) {
	for what, in := range map[string]*pb.SearchResponse{
		"few texts": {Answers: &pb.Answers{Sections: []uint32{1}, Probabilities: []float64{1}}},
		"no rows":   {Answers: &pb.Answers{Sections: []uint32{1}, Texts: []string{"a"}}},
		"one side":  {Tensions: &pb.Tensions{Sections: []uint32{1}, Texts: []string{"a"}, Kinds: []string{"k"}, Probabilities: []float64{1}}},
		"no kind":   {Tensions: &pb.Tensions{Sections: []uint32{1, 2}, Texts: []string{"a", "b"}, Probabilities: []float64{1}}},
	} {
		if res, err := unpackResult(in); err == nil {
			t.Errorf("%s: %+v", what, res)
		}
	}
	flood := &pb.Answers{Sections: make([]uint32, 1000), Texts: make([]string, 1000), Probabilities: make([]float64, 1000)}
	if res, err := unpackResult(&pb.SearchResponse{Answers: flood}); err != nil || len(res.Answers) != mostJudged {
		t.Errorf("a flood became %+v, %v", res, err)
	}
}
