package main

import (
	"cmp"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/RoaringBitmap/roaring/v2"
	gocmp "github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/sdktest"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// dictionary is loaded once for all tests.
var dictionary = sync.OnceValues(newAnalyser)

func newStrategy() *Strategy {
	s := New()
	s.dictionary = dictionary
	return s
}

func TestMorphemes(t *testing.T) {
	a, err := dictionary()
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string][]string{
		"":       nil,
		"です。、!?": nil,
		"サーバーを再起動させる手順":    {"サーバー", "再", "起動", "する", "手順"},
		"申し込んでください":        {"申し込む"},
		"手数料を払い戻されなかった":    {"手数料", "払い戻す"},
		"東京特許許可局":          {"東京", "特許", "許可", "局"},
		"raid1 の構成":        {"raid", "1", "構成"},
		"tsumugi-cli を使う":  {"tsumugi", "cli", "使う"},
		"あ\xffい":           nil,
		"\u0000\U0001F600": nil,
		"第3条":              {"第", "3", "条"},
		"しかし、そして、または、なのに。": nil,
	} {
		got := a.morphemes(text)
		if text == "あ\xffい" {
			continue // the result does not matter, but it must not panic
		}
		if diff := gocmp.Diff(want, got); diff != "" {
			t.Errorf("%q: %s", text, diff)
		}
	}
}

var sections = []sdktest.Section{
	{Heading: "申し込み", Body: "窓口で申し込んでください。手数料が要ります。"},
	{Heading: "払い戻し", Body: "手数料は払い戻しません。"},
	{Heading: "Fees", Body: "A fee is due."},
	{Heading: "窓口", Body: "平日に開いています。"},
}

func search(t *testing.T, ctx context.Context, s *Strategy, req *sdk.Request) []uint32 {
	t.Helper()
	res, err := s.Search(ctx, req)
	if err != nil {
		t.Fatal(err)
	}
	var ids []uint32
	for i, c := range res.Candidates {
		if !(c.Score > 0) || i > 0 && c.Score > res.Candidates[i-1].Score || len(c.Terms) == 0 {
			t.Errorf("%+v", c)
		}
		ids = append(ids, c.Section)
	}
	if !res.Finished {
		t.Error("not finished")
	}
	return ids
}

func TestSearch(t *testing.T) {
	snap := sdktest.Snapshot(t, sections...)
	s := newStrategy()
	for name, tc := range map[string]struct {
		query string
		scope []uint32
		limit int
		want  []uint32
	}{
		"another form of a verb": {query: "申し込むには", want: []uint32{0}},
		"a word of several":      {query: "手数料は払い戻されるか", want: []uint32{1, 0}},
		"a word of a heading":    {query: "窓口", want: []uint32{3, 0}},
		"a scope":                {query: "窓口", scope: []uint32{0, 1}, want: []uint32{0}},
		"a limit":                {query: "窓口", limit: 1, want: []uint32{3}},
		"no Japanese":            {query: "fee"},
		"nothing":                {query: ""},
		"grammar alone":          {query: "ですから"},
		"what is not there":      {query: "冷蔵庫"},
	} {
		t.Run(name, func(t *testing.T) {
			req := &sdk.Request{Corpus: snap, Query: sdk.Query{Text: tc.query}, Limit: cmp.Or(tc.limit, 9)}
			if tc.scope != nil {
				req.Scope = roaring.BitmapOf(tc.scope...)
			}
			if diff := gocmp.Diff(tc.want, search(t, t.Context(), s, req)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestCallsSideBySide(t *testing.T) {
	one, other := sdktest.Snapshot(t, sections...), sdktest.Snapshot(t, sections[3], sections[0])
	s := newStrategy()
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			corpus, want := one, []uint32{3, 0}
			if i%2 == 1 {
				corpus, want = other, []uint32{0, 1}
			}
			for range 5 {
				if diff := gocmp.Diff(want, search(t, t.Context(), s, &sdk.Request{Corpus: corpus, Query: sdk.Query{Text: "窓口"}, Limit: 9})); diff != "" {
					t.Error(diff)
				}
			}
		})
	}
	wg.Wait()
}

func TestItStopsWhenAsked(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	s, snap := newStrategy(), sdktest.Snapshot(t, sections...)
	if err := s.Open(ctx, snap); !errors.Is(err, context.Canceled) {
		t.Errorf("open: %v", err)
	}
	if _, err := s.Search(ctx, &sdk.Request{Corpus: snap, Query: sdk.Query{Text: "窓口"}, Limit: 9}); !errors.Is(err, context.Canceled) {
		t.Errorf("search: %v", err)
	}
	if err := s.Open(t.Context(), snap); err != nil {
		t.Errorf("afterwards: %v", err)
	}
}

// kept returns the files of a state directory.
func kept(t *testing.T, dir string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func TestWhatIsKept(t *testing.T) {
	dir, snap := t.TempDir(), sdktest.Snapshot(t, sections...)
	ctx := sdk.WithSurroundings(t.Context(), nil, dir)
	req := &sdk.Request{Corpus: snap, Query: sdk.Query{Text: "窓口"}, Limit: 9}
	want := search(t, ctx, newStrategy(), req)
	files := kept(t, dir)
	if len(files) != 1 || !strings.HasPrefix(filepath.Base(files[0]), string(snapshot.KindManual)+"-") {
		t.Fatalf("kept %q", files)
	}
	whole, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	for _, harm := range [][]byte{whole, whole[:len(whole)/2], nil, []byte("something else"), slices.Concat(whole, []byte{0})} {
		if err := os.WriteFile(files[0], harm, 0o600); err != nil {
			t.Fatal(err)
		}
		if diff := gocmp.Diff(want, search(t, ctx, newStrategy(), req)); diff != "" {
			t.Errorf("%d bytes: %s", len(harm), diff)
		}
	}
	later := *req
	later.Corpus = sdktest.Snapshot(t, sections[:2]...)
	if search(t, ctx, newStrategy(), &later); len(kept(t, dir)) != 1 || kept(t, dir)[0] == files[0] {
		t.Errorf("kept %q", kept(t, dir))
	}
}

func TestItDescribesItself(t *testing.T) {
	if d := New().Describe(); d.Admits() || d.Stage != sdk.StageRetrieve || d.Name != "morph" {
		t.Errorf("%+v", d)
	}
}
