package semantic

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/go-hclog"
	"go.uber.org/goleak"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/x/patentquery"
	"github.com/sagasu-search/sagasu/sdk/x/space"
	"github.com/sagasu-search/sagasu/sdk/x/state"
	"github.com/sagasu-search/sagasu/sdk/x/vector"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// row is a publication of a test corpus.
type row struct {
	id     string
	fields []string // title, abst, claim, desc
}

// publish publishes each part as a segment of snapshot number n of its directory.
func publish(t testing.TB, n int, parts ...[]row) *snapshot.Snapshot {
	t.Helper()
	return publishIn(t, t.TempDir(), n, parts...)
}

func publishIn(t testing.TB, dir string, n int, parts ...[]row) *snapshot.Snapshot {
	t.Helper()
	name := fmt.Sprintf("publication-%06d", n)
	var infos []snapshot.SegmentInfo
	var w *snapshot.Writer
	for i, rows := range parts {
		w = snapshot.NewWriter(snapshot.Schema{Kind: snapshot.KindPublication, Fields: []string{"title", "abst", "claim", "desc"}})
		for _, r := range rows {
			w.AddFile(snapshot.File{Path: r.id})
			w.Add(snapshot.Section{Title: r.fields[0], Parent: snapshot.None}, r.fields)
		}
		info, err := w.WriteFile(t.Context(), dir, fmt.Sprintf("publication-%06d-%d.seg", n, i))
		if err != nil {
			t.Fatal(err)
		}
		infos = append(infos, info)
	}
	if err := snapshot.Publish(dir, w.Manifest(name, infos...)); err != nil {
		t.Fatal(err)
	}
	return open(t, dir, name)
}

func open(t testing.TB, dir, name string) *snapshot.Snapshot {
	t.Helper()
	snap, err := snapshot.Open(dir, name, true)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { snap.Close() })
	return snap
}

// topics are words that belong together; no text of one topic contains a word of another.
var topics = map[string]string{
	"tyre":    "tyre tread rubber wheel rim bead sidewall groove vulcanised silica carcass belt",
	"battery": "battery electrode cathode anode electrolyte lithium separator cell charge voltage current terminal",
	"face":    "顔認証 画像 撮影 遮蔽 マスク 特徴量 照合 利用者 カメラ 目領域 推定 登録",
}

// texts returns publications on the topics in turn; each contains a few words of its topic.
func texts(n int, seed uint64) []row {
	random := rand.New(rand.NewPCG(seed, 2))
	names := []string{"tyre", "battery", "face"}
	out := make([]row, n)
	for i := range out {
		words := strings.Fields(topics[names[i%3]])
		random.Shuffle(len(words), func(a, b int) { words[a], words[b] = words[b], words[a] })
		out[i] = row{fmt.Sprintf("%06d", i), []string{words[0], strings.Join(words[1:4], " "), strings.Join(words[2:6], " "), ""}}
	}
	return out
}

// surroundings returns a context with a state directory and a logger that fails the test if a text is logged.
func surroundings(t *testing.T, dir string) context.Context {
	var log strings.Builder
	t.Cleanup(func() {
		for _, words := range topics {
			for w := range strings.FieldsSeq(words) {
				if strings.Contains(log.String(), w) {
					t.Errorf("%q reached the log", w)
				}
			}
		}
	})
	return sdk.WithSurroundings(t.Context(), hclog.New(&hclog.LoggerOptions{Output: &log, Level: hclog.Trace}), dir)
}

func search(t *testing.T, ctx context.Context, s *Strategy, req sdk.Request) *sdk.Result {
	t.Helper()
	r, err := s.Search(ctx, &req)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func sectionsOf(r *sdk.Result) []uint32 {
	var out []uint32
	for _, c := range r.Candidates {
		out = append(out, c.Section)
	}
	return out
}

func newStrategy(t *testing.T, config string) *Strategy {
	t.Helper()
	s := New()
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	if config != "" {
		if err := s.Configure(t.Context(), json.RawMessage(config)); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

func TestSearchFindsWhatSharesNoWord(t *testing.T) {
	rows := texts(120, 1)
	rows = append(rows, row{"900000", []string{"cathode", "cathode", "", ""}})
	snap := publish(t, 1, rows)
	s := newStrategy(t, `{"dimensions":3}`)
	for query, topic := range map[string]int{"lithium separator": 1, "groove of the sidewall": 0, "マスクによる遮蔽": 2} {
		r := search(t, t.Context(), s, sdk.Request{Corpus: snap, Query: sdk.Query{Text: query}, Limit: 40})
		if len(r.Candidates) != 40 || !r.Finished || r.Examined != 121 {
			t.Fatalf("%s: %d candidates, examined %d, finished %v", query, len(r.Candidates), r.Examined, r.Finished)
		}
		for _, id := range sectionsOf(r)[:30] {
			if id != 120 && int(id)%3 != topic {
				t.Errorf("%s: section %d is of another topic", query, id)
			}
		}
		if got := r.Matched.Contains(120); got != (topic == 1) {
			t.Errorf("%s: the section of one other word of the topic is matched: %v", query, got)
		}
	}
}

func TestSearchKeepsToScopeAndLimit(t *testing.T) {
	snap := publish(t, 1, texts(60, 1), texts(60, 2))
	s := newStrategy(t, "")
	query := sdk.Query{Text: "electrolyte of a battery"}
	all := search(t, t.Context(), s, sdk.Request{Corpus: snap, Query: query, Limit: 1000})
	if n := int(all.Matched.GetCardinality()); n != len(all.Candidates) || n == 0 {
		t.Fatalf("%d matched, %d candidates", n, len(all.Candidates))
	}
	scope := roaring.BitmapOf(1, 4, 7, 61, 64, 119, 500) // 500 is not a section
	part := search(t, t.Context(), s, sdk.Request{Corpus: snap, Query: query, Limit: 1000, Scope: scope})
	var want []uint32
	for _, id := range sectionsOf(all) {
		if scope.Contains(id) {
			want = append(want, id)
		}
	}
	if diff := cmp.Diff(want, sectionsOf(part)); diff != "" {
		t.Errorf("a scope changes the order (-all +scope):\n%s", diff)
	}
	if part.Examined != 6 {
		t.Errorf("examined %d of 6", part.Examined)
	}
	few := search(t, t.Context(), s, sdk.Request{Corpus: snap, Query: query, Limit: 7})
	if diff := cmp.Diff(sectionsOf(all)[:7], sectionsOf(few)); diff != "" {
		t.Errorf("a limit changes the order (-all +limit):\n%s", diff)
	}
	if !few.Matched.Equals(all.Matched) {
		t.Error("a limit changes what matched")
	}
}

func TestSearchWithoutMeaning(t *testing.T) {
	rows := texts(60, 1)
	for i := range rows {
		rows[i].fields[0] += " device"
	}
	large, small := publish(t, 1, rows), publish(t, 1, texts(1, 1))
	for name, c := range map[string]struct {
		snap          *snapshot.Snapshot
		query, warned string
	}{
		"unknown words":    {large, "zebra", "fewer than three texts"},
		"words of all":     {large, "a device", "more than half"},
		"no words":         {large, "、。", "semantic: "},
		"small collection": {small, "tyre", "semantic: "},
	} {
		r := search(t, t.Context(), newStrategy(t, ""), sdk.Request{Corpus: c.snap, Query: sdk.Query{Text: c.query}, Limit: 5})
		if len(r.Candidates) != 0 || !r.Finished || len(r.Warnings) != 1 || !r.Matched.IsEmpty() ||
			!strings.Contains(r.Warnings[0], c.warned) {
			t.Errorf("%s: %+v", name, r)
		}
	}
}

func TestCanceledSearch(t *testing.T) {
	snap := publish(t, 1, texts(60, 1))
	s := newStrategy(t, "")
	if err := s.Open(t.Context(), snap); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	req := sdk.Request{Corpus: snap, Query: sdk.Query{Text: "battery"}, Limit: 5}
	if r, err := s.Search(ctx, &req); err == nil && (r.Finished || r.Examined != 0) {
		t.Errorf("a search that was over at once examined %d, finished %v", r.Examined, r.Finished)
	}
	if err := newStrategy(t, "").Open(ctx, snap); !errors.Is(err, context.Canceled) {
		t.Errorf("learning that was over at once: %v", err)
	}
	if err := s.Open(t.Context(), snap); err != nil {
		t.Errorf("afterwards: %v", err)
	}
}

func stateFiles(t *testing.T, dir, ext string) []string {
	t.Helper()
	out, err := filepath.Glob(filepath.Join(dir, "*"+ext))
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestNewSectionsAreFoldedIn(t *testing.T) {
	index, state := t.TempDir(), t.TempDir()
	ctx := surroundings(t, state)
	before := publishIn(t, index, 1, texts(60, 1))
	s := newStrategy(t, "")
	if err := s.Open(ctx, before); err != nil {
		t.Fatal(err)
	}
	models := stateFiles(t, state, modelExt)
	if len(models) != 1 || len(stateFiles(t, state, space.Ext)) != 1 {
		t.Fatalf("kept %v and %v", models, stateFiles(t, state, space.Ext))
	}
	learned, err := os.ReadFile(models[0])
	if err != nil {
		t.Fatal(err)
	}
	folded := publishIn(t, index, 2, texts(60, 1), texts(20, 3))
	r := search(t, ctx, s, sdk.Request{Corpus: folded, Query: sdk.Query{Text: "sidewall of a tyre"}, Limit: 80})
	if !r.Matched.Contains(60) { // the first of the new sections
		t.Error("a new section is not found")
	}
	if again, err := os.ReadFile(models[0]); err != nil || string(again) != string(learned) {
		t.Error("20 sections more than 60 were learned from")
	}
	grown := publishIn(t, index, 3, texts(60, 1), texts(40, 4))
	if err := s.Open(ctx, grown); err != nil {
		t.Fatal(err)
	}
	if again, err := os.ReadFile(models[0]); err != nil || string(again) == string(learned) {
		t.Error("a collection that has grown by two thirds was not learned from again")
	}
	if n := len(stateFiles(t, state, space.Ext)); n != 2 {
		t.Errorf("%d files of vectors for two segments", n)
	}
}

func TestWhatIsKeptIsUsedUnlessDamaged(t *testing.T) {
	state := t.TempDir()
	ctx := surroundings(t, state)
	snap := publish(t, 1, texts(60, 1))
	req := sdk.Request{Corpus: snap, Query: sdk.Query{Text: "electrolyte of a battery"}, Limit: 20}
	want := search(t, ctx, newStrategy(t, ""), req).Candidates
	files := append(stateFiles(t, state, modelExt), stateFiles(t, state, space.Ext)...)
	for _, harm := range []func(b []byte) []byte{
		func(b []byte) []byte { return b },
		func(b []byte) []byte { b[len(b)/2] ^= 1; return b },
		func(b []byte) []byte { return b[:len(b)-1] },
		func(b []byte) []byte { return nil },
	} {
		for _, f := range files {
			b, err := os.ReadFile(f)
			if err == nil {
				err = os.WriteFile(f, harm(b), 0o600)
			}
			if err != nil {
				t.Fatal(err)
			}
			got := search(t, ctx, newStrategy(t, ""), req).Candidates
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("another answer (-before +after):\n%s", diff)
			}
		}
	}
	if left := stateFiles(t, state, ".new"); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestKeptVectorsAreRead(t *testing.T) {
	state := t.TempDir()
	ctx := surroundings(t, state)
	snap := publish(t, 1, texts(60, 1))
	if err := newStrategy(t, "").Open(ctx, snap); err != nil {
		t.Fatal(err)
	}
	s := newStrategy(t, "")
	s.spaces.maker = refusing{s.spaces.maker}
	if err := s.Open(ctx, snap); err != nil {
		t.Error(err)
	}
}

// refusing is a maker whose encoders compute no vectors.
type refusing struct{ maker }

type refusingEncoder struct{ encoder }

type refusingSegments struct{ space.Encoder }

func (r refusing) encoder(ctx context.Context, snap *snapshot.Snapshot, files *state.Store) (encoder, error) {
	e, err := r.maker.encoder(ctx, snap, files)
	return refusingEncoder{e}, err
}

func (r refusingEncoder) within(scope patentquery.Scope) space.Encoder {
	return refusingSegments{r.encoder.within(scope)}
}

func (refusingSegments) Segment(
	context.Context, *snapshot.Snapshot, *snapshot.Segment, func(vector.Part),
) (vector.Part, error) {
	return vector.Part{}, errors.New("vectors that were kept are made again")
}

func TestConfigure(t *testing.T) {
	for config, want := range map[string]string{
		`{"colour":"red"}`:            "unknown field",
		`{"embedding":{"model":"m"}}`: "http or https",
		`{"embedding":{"url":"http://127.0.0.1/v1","model":"m","key_env":"SAGASU_NO_SUCH"}}`: "SAGASU_NO_SUCH is not set",
		`{"embedding":{"url":"http://127.0.0.1/v1","model":"m","batch":-1}}`:                 "negative",
	} {
		if err := New().Configure(t.Context(), json.RawMessage(config)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", config, err)
		}
	}
}

// A section that is far less similar than the best few does not match, whether or not all matches were asked for.
func TestTheTailDoesNotMatch(t *testing.T) {
	snap := publish(t, 1, texts(240, 5))
	ctx := surroundings(t, t.TempDir())
	ask := sdk.Request{Corpus: snap, Query: sdk.Query{Raw: texts(240, 5)[7].fields[1]}, Limit: 240}
	all := search(t, ctx, newStrategy(t, `{"tail": 0}`), ask)
	least := 0.0
	for _, c := range all.Candidates[1 : few+1] {
		least += 0.55 * c.Score / few
	}
	want := 0
	for _, c := range all.Candidates {
		if c.Score > least {
			want++
		}
	}
	if want < few+1 || want == len(all.Candidates) {
		t.Fatalf("%d of %d are above the tail: the test shows nothing", want, len(all.Candidates))
	}
	for _, limit := range []int{240, few + 1, 2} {
		ask.Limit = limit
		got := search(t, ctx, newStrategy(t, ""), ask)
		if int(got.Matched.GetCardinality()) != want || len(got.Candidates) != min(limit, want) {
			t.Errorf("limit %d: %d match and %d are listed, want %d", limit, got.Matched.GetCardinality(), len(got.Candidates), want)
		}
	}
}
