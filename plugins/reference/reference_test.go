package reference

import (
	"cmp"
	"context"
	"testing"

	"github.com/RoaringBitmap/roaring/v2"
	gocmp "github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/sdktest"
)

// rules refer to each other in the ways that texts do.
var rules = []sdktest.Section{
	{Path: "a.md", Line: 1, Heading: "第1条（手数料）", Body: "手数料は別表2のとおりとし、第3条の場合は返します。"},
	{Path: "a.md", Line: 10, Heading: "第2条（解約）", Body: "別表2 と [窓口](b.md#窓口) を見てください。"},
	{Path: "a.md", Line: 20, Heading: "第3条（返金）", Body: "前条による。"},
	{Path: "b.md", Line: 1, Heading: "別表2", Body: "| 区分 | 円 |"},
	{Path: "b.md", Line: 10, Heading: "窓口", Body: "平日のみ。"},
	{Path: "c.md", Line: 1, Heading: "Fees", Body: `See "Refunds" and section 4.2 of this guide.`},
	{Path: "c.md", Line: 10, Heading: "Refunds", Body: "None. See section 9."},
	{Path: "c.md", Line: 20, Heading: "4.2 Limits", Body: "Nothing."},
}

func pool(ids ...uint32) (out []sdk.Candidate) {
	for _, id := range ids {
		out = append(out, sdk.Candidate{Section: id, Score: 1})
	}
	return out
}

type row struct {
	Section uint32
	Score   float64
}

func TestSearch(t *testing.T) {
	snap := sdktest.Snapshot(t, rules...)
	for name, tc := range map[string]struct {
		pool  []uint32
		scope []uint32
		limit int
		want  []row
	}{
		"an empty pool":              {},
		"a schedule and an article":  {pool: []uint32{0}, want: []row{{2, 1}, {3, 1}}},
		"a title and a number":       {pool: []uint32{5}, want: []row{{6, 1}, {7, 1}}},
		"what is there already":      {pool: []uint32{0, 2, 3}, want: []row{{1, 1. / 2}}},
		"the better source counts":   {pool: []uint32{1, 0}, want: []row{{3, 1}, {4, 1}, {2, 1. / 2}}},
		"only what is in the scope":  {pool: []uint32{0}, scope: []uint32{0, 2, 4}, want: []row{{2, 1}}},
		"no more than asked for":     {pool: []uint32{1, 0}, limit: 1, want: []row{{3, 1}}},
		"a reference that is broken": {pool: []uint32{6}},
	} {
		t.Run(name, func(t *testing.T) {
			req := &sdk.Request{Corpus: snap, Pool: pool(tc.pool...), Limit: cmp.Or(tc.limit, 9)}
			if tc.scope != nil {
				req.Scope = roaring.BitmapOf(tc.scope...)
			}
			res, err := New().Search(context.Background(), req)
			if err != nil {
				t.Fatal(err)
			}
			var got []row
			for _, c := range res.Candidates {
				got = append(got, row{c.Section, c.Score})
				if diff := gocmp.Diff([]string{sdk.SignalHeading, Signal}, c.Signals); diff != "" {
					t.Error(diff)
				}
			}
			if diff := gocmp.Diff(tc.want, got); diff != "" {
				t.Error(diff)
			}
			if !res.Finished || res.Examined != len(tc.pool) {
				t.Errorf("examined %d, finished %v", res.Examined, res.Finished)
			}
		})
	}
}

func TestItStopsWhenAsked(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	res, err := New().Search(ctx, &sdk.Request{Corpus: sdktest.Snapshot(t, rules...), Pool: pool(0), Limit: 9})
	if err != nil || res.Finished || len(res.Candidates) > 0 {
		t.Errorf("%+v, %v", res, err)
	}
}

func TestItDescribesItself(t *testing.T) {
	if d := New().Describe(); d.Stage != sdk.StageFill || !d.Admits() {
		t.Errorf("%+v", d)
	}
}
