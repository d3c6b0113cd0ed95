package translation

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/sdk/sdktest"
	"github.com/sagasu-search/sagasu/sdk/x/loanword"
)

// hurried is a context that ends after a number of checks.
type hurried struct {
	context.Context
	looks *int
}

func (h hurried) Err() error {
	if *h.looks--; *h.looks < 0 {
		return context.DeadlineExceeded
	}
	return nil
}

// If reading the words of a corpus takes longer than one search may, several searches read them.
func TestReadingOfSoundsGoesOn(t *testing.T) {
	corpus := sdktest.Snapshot(t,
		sdktest.Section{Heading: "Server", Body: "A server and a printer."},
		sdktest.Section{Heading: "サーバー", Body: "サーバーとプリンターの説明です。"},
		sdktest.Section{Heading: "Zebra", Body: "The apple and the mango."},
		sdktest.Section{Heading: "アップル", Body: "アップルとマンゴーです。"})
	for _, katakana := range []bool{true, false} {
		whole := new(corpora).of(corpus).soundsOf(t.Context(), corpus, katakana)
		if len(whole) < 3 {
			t.Fatalf("%d sounds", len(whole))
		}
		known, searches := new(corpora).of(corpus), 0
		got := sounds(nil)
		for ; got == nil && searches < 1000; searches++ {
			looks := 1
			got = known.soundsOf(hurried{t.Context(), &looks}, corpus, katakana)
		}
		if diff := cmp.Diff(whole, got, cmp.AllowUnexported(spoken{})); diff != "" || searches < 2 {
			t.Errorf("katakana %v, %d searches: -want +got:\n%s", katakana, searches, diff)
		}
	}
}

func TestAStemThatSoundsUnlikeItsWordIsNotHeard(t *testing.T) {
	corpus := sdktest.Snapshot(t,
		sdktest.Section{Heading: "Source", Body: "The source of the picnic."}, sdktest.Section{Heading: "料金", Body: "料金です。"})
	heard := new(corpora).of(corpus).soundsOf(t.Context(), corpus, false)
	for kana, want := range map[string][]string{"サッカ": nil, "ピクニック": {"picnic"}} {
		if diff := cmp.Diff(want, heard.alike(loanword.OfKana(kana))); diff != "" {
			t.Errorf("%s: -want +got:\n%s", kana, diff)
		}
	}
}
