package wire

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"google.golang.org/protobuf/proto"
	"pgregory.net/rapid"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/x/sample"
	pb "github.com/sagasu-search/sagasu/sdk/x/wire/strategypb"
)

var same = cmp.Options{
	cmpopts.EquateEmpty(), cmpopts.EquateNaNs(),
	cmp.Comparer(func(a, b *roaring.Bitmap) bool {
		return (a == nil) == (b == nil) && (a == nil || a.Equals(b))
	}),
}

func drawWords(t *rapid.T, label string) []string {
	return rapid.SliceOfN(rapid.SampledFrom([]string{"", "heading", "loose", "例外", "第3条"}), 0, 4).Draw(t, label)
}

func drawRows(t *rapid.T) []sdk.Candidate {
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) sdk.Candidate {
		return sdk.Candidate{
			Section:  rapid.Uint32().Draw(t, "section"),
			Score:    rapid.Float64().Draw(t, "score"),
			Coverage: rapid.SampledFrom([]float64{0, 0, 0.5, 1, math.NaN()}).Draw(t, "coverage"),
			Measured: rapid.Bool().Draw(t, "measured"),
			Signals:  drawWords(t, "signals"),
			Terms:    drawWords(t, "terms"),
		}
	}), 0, 20).Draw(t, "rows")
}

func drawBitmap(t *rapid.T) *roaring.Bitmap {
	if rapid.Bool().Draw(t, "absent") {
		return nil
	}
	b := roaring.BitmapOf(rapid.SliceOf(rapid.Uint32()).Draw(t, "ids")...)
	if rapid.Bool().Draw(t, "run") {
		b.AddRange(10, 100_000)
		b.RunOptimize()
	}
	return b
}

// crossed returns m as the other side reads it.
func crossed[M proto.Message](t *rapid.T, m, into M) M {
	data, err := proto.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	if err := proto.Unmarshal(data, into); err != nil {
		t.Fatal(err)
	}
	return into
}

func drawTerms(t *rapid.T) []sdk.GatherTerm {
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) sdk.GatherTerm {
		return sdk.GatherTerm{
			Text: rapid.String().Draw(t, "text"), Weight: rapid.Float64().Draw(t, "weight"), Slot: rapid.IntRange(-1, 63).Draw(t, "slot"),
		}
	}), 0, 3).Draw(t, "terms")
}

func TestResultCrosses(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := &sdk.Result{
			Candidates: drawRows(t), Matched: drawBitmap(t),
			Examined: rapid.IntRange(0, math.MaxInt32).Draw(t, "examined"),
			Finished: rapid.Bool().Draw(t, "finished"), Warnings: drawWords(t, "warnings"),
			Confidence: rapid.Float64Range(0, 1).Draw(t, "confidence"),
			Expansion:  drawTerms(t),
		}
		packed, err := packResult(want)
		if err != nil {
			t.Fatal(err)
		}
		got, err := unpackResult(crossed(t, packed, &pb.SearchResponse{}))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got, same); diff != "" {
			t.Fatal(diff)
		}
	})
}

func TestQueryCrosses(t *testing.T) {
	want := sdk.Query{
		Raw: "「第3条」 例外", Intent: sdk.IntentExceptions, Text: "例外", MatchThreshold: 0.6,
		Terms: []sdk.Term{{Text: "第3条", Kind: sdk.TermMust, Phrase: true, Weight: 1}, {Text: "x", Kind: sdk.TermNegative, Weight: 0.5}},
	}
	if diff := cmp.Diff(want, unpackQuery(packQuery(want))); diff != "" {
		t.Error(diff)
	}
	if got := packQuery(sdk.Query{Raw: "a\xffb"}).Raw; got != "a\uFFFDb" {
		t.Errorf("bytes that are no text became %q", got)
	}
}

func TestParamsCross(t *testing.T) {
	snap, err := sample.Sections(t.TempDir(), "manual-000001", snapshot.KindManual, sample.Section{Body: "text"})
	must(t, err)
	defer snap.Close()
	for _, want := range []json.RawMessage{nil, {}, json.RawMessage(`{"field_boosts": {"title": 80}}`)} {
		in, err := packRequest(&sdk.Request{Corpus: snap, Limit: 1, Params: want})
		if err != nil {
			t.Fatal(err)
		}
		data, err := proto.Marshal(in)
		if err != nil {
			t.Fatal(err)
		}
		var over pb.SearchRequest
		if err := proto.Unmarshal(data, &over); err != nil {
			t.Fatal(err)
		}
		got, err := unpackRequest(&over)
		if err != nil || string(got.Params) != string(want) || (got.Params == nil) != (want == nil) {
			t.Errorf("%q became %q, %v", want, got.Params, err)
		}
	}
}

// TestAbsenceCrosses checks that nil and empty, which mean different things, stay distinct.
func TestAbsenceCrosses(t *testing.T) {
	for _, in := range []*pb.SearchRequest{{}, {Pool: &pb.Candidates{}}} {
		got, err := unpackRequest(in)
		if err != nil || (got.Pool == nil) != (in.Pool == nil) || got.Scope != nil {
			t.Errorf("%v became %+v, %v", in, got, err)
		}
	}
	empty, err := packBitmap(roaring.New())
	if err != nil {
		t.Fatal(err)
	}
	got, err := unpackRequest(&pb.SearchRequest{Scope: empty})
	if err != nil || got.Scope == nil || !got.Scope.IsEmpty() {
		t.Errorf("an empty scope became %v, %v", got, err)
	}
}

func TestDescriptionCrosses(t *testing.T) {
	for _, want := range []sdk.Description{
		{},
		{
			Name: "x", Version: "2", Stage: sdk.StageRerank, Signals: []string{"a", "b"}, Weight: 0.25,
			Corpora: []snapshot.Kind{snapshot.KindVault}, ConfigSchema: []byte(`{}`),
		},
	} {
		if diff := cmp.Diff(want, unpackDescription(packDescription(want))); diff != "" {
			t.Error(diff)
		}
	}
}

func TestMalformedCandidates(t *testing.T) {
	for what, in := range map[string]*pb.Candidates{
		"few scores":       {Sections: []uint32{1, 2}, Scores: []float64{1}},
		"few coverages":    {Sections: []uint32{1, 2}, Scores: []float64{1, 2}, Coverages: []float64{1}},
		"few counts":       {Sections: []uint32{1, 2}, Scores: []float64{1, 2}, TermCounts: []uint32{0}},
		"no counts":        {Sections: []uint32{1}, Scores: []float64{1}, Terms: []uint32{0}, Strings: []string{"x"}},
		"index too high":   {Sections: []uint32{1}, Scores: []float64{1}, TermCounts: []uint32{1}, Terms: []uint32{0}},
		"count too high":   {Sections: []uint32{1}, Scores: []float64{1}, TermCounts: []uint32{2}, Terms: []uint32{0}, Strings: []string{"x"}},
		"something left":   {Sections: []uint32{1}, Scores: []float64{1}, TermCounts: []uint32{0}, Terms: []uint32{0}, Strings: []string{"x"}},
		"count overflowed": {Sections: []uint32{1}, Scores: []float64{1}, SignalCounts: []uint32{math.MaxUint32}},
	} {
		if rows, err := unpackCandidates(in); err == nil {
			t.Errorf("%s: gave %v", what, rows)
		}
	}
}

func FuzzUnpackResult(f *testing.F) {
	packed, err := packResult(&sdk.Result{
		Candidates: []sdk.Candidate{{Section: 1, Score: 2, Signals: []string{"s"}, Terms: []string{"t"}}},
		Matched:    roaring.BitmapOf(1, 2, 70_000), Warnings: []string{"w"},
	})
	if err != nil {
		f.Fatal(err)
	}
	seed, err := proto.Marshal(packed)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(seed)
	f.Fuzz(func(t *testing.T, data []byte) {
		var in pb.SearchResponse
		if proto.Unmarshal(data, &in) != nil {
			return
		}
		res, err := unpackResult(&in)
		if err == nil && len(res.Candidates) != len(in.GetCandidates().GetSections()) {
			t.Errorf("%d rows became %d", len(in.GetCandidates().GetSections()), len(res.Candidates))
		}
	})
}

func FuzzUnpackBitmap(f *testing.F) {
	run := roaring.New()
	run.AddRange(0, 1000)
	run.RunOptimize()
	for _, b := range []*roaring.Bitmap{roaring.New(), roaring.BitmapOf(1, 1<<20), run} {
		data, err := packBitmap(b)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		b, err := unpackBitmap(data)
		if err != nil || b == nil {
			return
		}
		again := roaring.BitmapOf(b.ToArray()...)
		if !again.Equals(b) {
			t.Errorf("%x gave a bitmap that is not what it holds", data)
		}
	})
}
