package search

import (
	"errors"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/sagasu-search/sagasu/framework/internal/fusion"
	"github.com/sagasu-search/sagasu/framework/internal/judge"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

var someCandidates = rapid.Custom(func(t *rapid.T) Candidate {
	texts := rapid.SliceOfN(rapid.String(), 0, 3)
	number, score := rapid.IntRange(0, math.MaxInt32), rapid.Float64()
	terms := texts.Draw(t, "terms")
	return Candidate{
		ManualID: rapid.String().Draw(t, "manual"), Path: rapid.String().Draw(t, "path"), Title: rapid.String().Draw(t, "title"),
		Digest: digest(rapid.SliceOfN(rapid.Byte(), 8, 8).Draw(t, "digest")),
		Line:   number.Draw(t, "line"), EndLine: number.Draw(t, "end"), Score: score.Draw(t, "score"),
		Likelihood: score.Draw(t, "likelihood"), Signals: texts.Draw(t, "signals"), Terms: terms,
		Wordings: rapid.SliceOfN(rapid.IntRange(0, 9), 0, 3).Draw(t, "wordings"),
		Contributions: rapid.SliceOfN(rapid.Custom(func(t *rapid.T) fusion.Contribution {
			return fusion.Contribution{
				Source: rapid.String().Draw(t, "source"), Rank: number.Draw(t, "rank"), Raw: score.Draw(t, "raw"),
				Scaled: score.Draw(t, "scaled"), Confidence: score.Draw(t, "confidence"), Lists: number.Draw(t, "lists"),
				Weight: score.Draw(t, "weight"), Amount: score.Draw(t, "amount"), Terms: terms,
				Blend: rapid.Ptr(rapid.Custom(func(t *rapid.T) fusion.Blend {
					return fusion.Blend{From: score.Draw(t, "from"), To: score.Draw(t, "to")}
				}), true).Draw(t, "blend"),
			}
		}), 0, 3).Draw(t, "contributions"),
	}
})

// someTrace returns a trace with everything that is stored.
func someTrace(all []Candidate) *Trace {
	t := &Trace{
		Version: traceVersion, ID: "s-1", Created: time.Unix(7, 5).UTC(), Request: request("disk"), Manual: "disk", Words: []string{"disk"}, Matched: 4,
		Candidates: all, Graph: &judge.Graph{Claims: []judge.Claim{{ID: "c1", Text: "a < b", Confidence: 0.1}}},
		Left: map[string]int{ReasonCap: 3}, Manuals: []unscannedManual{{"other", 2}}, Warnings: []string{"late"}, Skipped: []toolset.Skip{{ManualID: "m", Path: "nul.md", Reason: "NUL"}}, Unscanned: packed(unscannedFile{"disk", "a/b.md", ReasonCap, digest{7}, []uint32{1, 9, 30}}), Order: []uint32{2, 0},
	}
	return t
}

// bytesOf returns a trace as it is stored.
func bytesOf(t *Trace) (out []byte, err error) {
	err = t.stored(func(data []byte) error { out = slices.Clone(data); return nil })
	return out, err
}

func TestStoredTracesComeBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := someTrace(rapid.SliceOfN(someCandidates, 0, 4).Draw(t, "candidates"))
		data, err := bytesOf(want)
		if err != nil {
			t.Fatal(err)
		}
		got, err := parseTrace(data)
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(Trace{}), cmpopts.EquateEmpty(), cmpopts.IgnoreFields(Trace{}, "filled")); diff != "" || err != nil {
			t.Fatalf("%v, %s", err, diff)
		}
		if _, err := parseTrace(data[:rapid.IntRange(0, len(data)-1).Draw(t, "cut")]); err == nil {
			t.Fatal("a trace without its end was read")
		}
	})
}

func TestATraceWithAnOrderOfOtherSectionsIsDamaged(t *testing.T) {
	for last, damaged := range map[uint32]bool{2: false, 3: true} { // three were cut
		stored := someTrace(nil)
		stored.Order = []uint32{0, last}
		data, err := bytesOf(stored)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := parseTrace(data); (err != nil) != damaged {
			t.Errorf("order %v: %v", stored.Order, err)
		}
	}
}

func TestATraceOfAnotherVersionIsForgotten(t *testing.T) {
	e := engine(t, manyRows(3), fakes{list: []words{exact}})
	if err := e.traces.store.Put(t.Context(), "s", "s-1", []byte(`{"version":0,"id":"s-1"}`)); err != nil {
		t.Fatal(err)
	}
	_, err := e.traces.get(t.Context(), "s-1")
	if f, ok := errors.AsType[*toolset.Error](err); !ok || f.Code != toolset.NotFound {
		t.Errorf("%v, want %s", err, toolset.NotFound)
	}
}

func FuzzStoredTrace(f *testing.F) {
	data, err := bytesOf(someTrace([]Candidate{{
		ManualID: "disk", Path: "a.md", Signals: []string{"exact"}, Terms: []string{"disk"}, Contributions: []fusion.Contribution{{Source: "exact", Rank: 1, Amount: 0.5, Terms: []string{"disk"}}},
	}}))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Fuzz(func(t *testing.T, data []byte) {
		first, err := parseTrace(data)
		if err != nil {
			return
		}
		first.integrated() // whatever was read can be served
		first.unscannedFiles()
		again, err := bytesOf(first)
		if err != nil {
			t.Fatal(err)
		}
		second, err := parseTrace(again)
		if diff := cmp.Diff(first, second, cmp.AllowUnexported(Trace{}), cmpopts.EquateEmpty(), cmpopts.EquateNaNs()); diff != "" || err != nil {
			t.Fatalf("%v, %s", err, diff)
		}
	})
}

// If answers wait for their traces, another process can use a trace at once.
func TestATraceIsStoredBeforeItsAnswer(t *testing.T) {
	options := engine(t, manyRows(9), fakes{list: []words{exact}}).Options
	options.StoreFirst = true
	one, other := New(options), New(options)
	defer one.Close()
	defer other.Close()
	for range 50 {
		answer, err := one.Find(t.Context(), request("disk"))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := other.Trace(t.Context(), answer.TraceID); err != nil {
			t.Fatal(err)
		}
	}
}
