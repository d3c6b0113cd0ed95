package laterank

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"
	"pgregory.net/rapid"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/lexical"
	"github.com/sagasu-search/sagasu/sdk/sdktest"
	"github.com/sagasu-search/sagasu/sdk/text"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// request returns a request for the query's words with all sections in the pool.
func request(t *testing.T, query []string, sections ...sdktest.Section) *sdk.Request {
	t.Helper()
	req := &sdk.Request{Corpus: sdktest.Snapshot(t, sections...), Limit: len(sections)}
	for _, w := range query {
		req.Query.Terms = append(req.Query.Terms, sdk.Term{Text: text.Fold(w), Kind: sdk.TermSoft, Weight: 1})
	}
	for i := range sections {
		req.Pool = append(req.Pool, sdk.Candidate{Section: uint32(i), Score: 1})
	}
	return req
}

// order returns the order in which the strategy ranks bodies for a query.
func order(t *testing.T, query []string, bodies ...string) []uint32 {
	t.Helper()
	var sections []sdktest.Section
	for _, b := range bodies {
		sections = append(sections, sdktest.Section{Heading: "x", Body: b})
	}
	s := New()
	res, err := s.Search(context.Background(), request(t, query, sections...))
	if err != nil || !res.Finished {
		t.Fatalf("%+v, %v", res, err)
	}
	var out []uint32
	for _, c := range res.Candidates {
		out = append(out, c.Section)
	}
	return out
}

func TestOrder(t *testing.T) {
	far := strings.Repeat(" and other matters of the house", 20)
	for name, tc := range map[string]struct {
		query  []string
		bodies []string
		want   []uint32
	}{
		"more words":              {[]string{"disk", "failure"}, []string{"disk", "disk failure", "house"}, []uint32{1, 0, 2}},
		"one passage":             {[]string{"disk", "failure"}, []string{"disk" + far + " failure", "disk or failure" + far}, []uint32{1, 0}},
		"the same stem":           {[]string{"cancelling"}, []string{"cancer", "cancelled"}, []uint32{1, 0}},
		"a slip of the pen":       {[]string{"reimbursment"}, []string{"bursting", "reimbursement"}, []uint32{1, 0}},
		"part of an identifier":   {[]string{"vector"}, []string{"std::list", "std::vector"}, []uint32{1, 0}},
		"a longer compound":       {[]string{"保険料"}, []string{"保守", "保険料率"}, []uint32{1, 0}},
		"parts of a compound":     {[]string{"保険料支払方法"}, []string{"保守の方針", "保険料の支払い方法"}, []uint32{1, 0}},
		"a word with okurigana":   {[]string{"払い戻"}, []string{"支払い", "払い戻す"}, []uint32{1, 0}},
		"a phrase":                {[]string{"late fee"}, []string{"fee late", "the late fee"}, []uint32{1, 0}},
		"no word":                 {nil, []string{"disk", "house"}, []uint32{0, 1}},
		"an empty body":           {[]string{"disk"}, []string{"", "disk"}, []uint32{1, 0}},
		"the order of the pool":   {[]string{"disk"}, []string{"disk a", "disk b", "disk c"}, []uint32{0, 1, 2}},
		"rare words count more":   {[]string{"disk", "raid"}, []string{"disk", "disk", "raid", "disk"}, []uint32{2, 0, 1, 3}},
		"the middle of long text": {[]string{"raid"}, []string{"disk", strings.Repeat(far, 40) + " raid" + strings.Repeat(far, 40)}, []uint32{1, 0}},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, order(t, tc.query, tc.bodies...)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestHeadingsAreReadWithEveryPassage(t *testing.T) {
	s := New()
	req := request(t, []string{"raid", "disk"}, sdktest.Section{Heading: "other", Body: "the disk"},
		sdktest.Section{Heading: "raid", Body: "the disk"}, sdktest.Section{Heading: "other", Body: "the disk", Names: "raid"})
	req.Query.Text = "raid と disk"
	res, err := s.Search(context.Background(), req)
	if err != nil || res.Candidates[0].Section != 1 || res.Candidates[0].Score != 1 {
		t.Errorf("%+v, %v", res, err)
	}
	if named := res.Candidates[1]; named.Section != 2 || named.Score != 1 {
		t.Errorf("%+v is not read with the name of its file", named)
	}
	if diff := cmp.Diff([]string{sdk.SignalLateRerank}, res.Candidates[0].Signals); diff != "" {
		t.Error(diff)
	}
}

// A heading counts by itself in a query of words only, and not in one with CJK characters.
func TestHeadingsLeadAmongWords(t *testing.T) {
	s := New()
	req := request(t, []string{"disk"}, sdktest.Section{Heading: "other", Body: "disk"}, sdktest.Section{Heading: "disk", Body: "other"})
	for query, want := range map[string][]uint32{"disk": {1, 0}, "disk とは": {0, 1}} {
		req.Query.Text = query
		res, err := s.Search(context.Background(), req)
		if err != nil {
			t.Fatal(err)
		}
		got := []uint32{res.Candidates[0].Section, res.Candidates[1].Section}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q: %s", query, diff)
		}
	}
}

// A query without a CJK character counts less: see confidenceLatin.
func TestConfidence(t *testing.T) {
	for query, want := range map[string]float64{"refund deadline": confidenceLatin, "返金の期限": 0, "RAID の設定": 0} {
		req := request(t, []string{query}, sdktest.Section{Heading: "x", Body: "refund 返金"})
		req.Query.Text = query
		res, err := New().Search(context.Background(), req)
		if err != nil || res.Confidence != want {
			t.Errorf("%s: %+v, %v, want confidence %v", query, res, err, want)
		}
	}
}

func TestAnEndedContextLeavesTheSearchUnfinished(t *testing.T) {
	s := New()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	res, err := s.Search(ctx, request(t, []string{"disk"}, sdktest.Section{Body: "disk"}))
	if err != nil || res.Finished || len(res.Candidates) != 0 {
		t.Errorf("%+v, %v", res, err)
	}
}

// naive returns the score according to its definition, without caches or blocks.
func naive(m *matcher, heading, body string) float64 {
	var best, lead float64
	size := m.config.Window / 2
	for i, q := range m.query {
		lead += q.weight * likest(m, i, heading, 0, len(heading)+1)
	}
	for b := 0; b*size <= len(body); b++ {
		var sum float64
		for i, q := range m.query {
			sum += q.weight * max(likest(m, i, heading, 0, len(heading)+1), likest(m, i, body, b*size, (b+2)*size))
		}
		best = max(best, sum)
	}
	return (best + m.heading*lead) / m.total / (1 + m.heading)
}

// likest returns the best similarity of a query word to the words that start in [from, to).
func likest(m *matcher, i int, s string, from, to int) (best float64) {
	q := &m.query[i]
	words(s, func(at int, w string) {
		if at >= from && at < to && !text.EnglishStop(w) {
			c := compared{text: w, letters: spell(nil, w)}
			if w[0] < 0x80 {
				c.stem = stem(m.stems, w)
			}
			best = max(best, m.like(q, &c))
		}
	})
	if q.stem != "" {
		return best
	}
	held := 0
	for i := range q.cjk {
		p := q.cjk[i].String()
		if starts(s, p, from, to) {
			held++
		}
	}
	if held > 0 {
		best = max(best, m.config.Pairs*float64(held)/float64(len(q.cjk)))
	}
	if starts(s, q.text, from, to) {
		best = 1
	}
	return best
}

func starts(s, part string, from, to int) bool {
	for at := from; at < min(to, len(s)); at++ {
		if strings.HasPrefix(s[at:], part) {
			return true
		}
	}
	return false
}

func TestScoreIsWhatItsDefinitionSays(t *testing.T) {
	vocabulary := []string{"disk", "disks", "failure", "fail", "std::vector", "map_status", "保険", "保険料", "支払い", "払い戻し", "料率", "の", "を", "サーバ", "サーバー", "3.5", "the"}
	config := defaults
	config.Window = 32
	used := newMatcher()
	rapid.Check(t, func(rt *rapid.T) {
		some := rapid.SliceOfN(rapid.SampledFrom(vocabulary), 1, 40)
		content := lexical.Terms{Texts: rapid.SliceOfNDistinct(rapid.SampledFrom(vocabulary), 1, 6, rapid.ID).Draw(rt, "query")}
		for range content.Texts {
			content.Weights = append(content.Weights, rapid.Float64Range(0.1, 9).Draw(rt, "weight"))
		}
		used.rest()
		m := used // reused, as between queries
		m.begin(config, content, strings.Join(vocabulary, " "))
		m.heading = rapid.SampledFrom([]float64{0, 0.25, 1}).Draw(rt, "weight of the heading")
		for range 3 { // the cache must not matter
			heading := strings.Join(some.Draw(rt, "heading"), " ")
			body := strings.Join(some.Draw(rt, "body"), rapid.SampledFrom([]string{" ", ""}).Draw(rt, "gap"))
			got, want := m.score(heading, body), naive(m, heading, body)
			if got < want-1e-9 || got > want+1e-9 || got < 0 || got > 1 {
				rt.Fatalf("score %v, by definition %v", got, want)
			}
		}
	})
}

func TestDice(t *testing.T) {
	for _, tc := range []struct {
		a, b string
		want float64
	}{
		{"night", "nacht", 0.25}, {"disk", "disk", 1}, {"a", "a", 1}, {"a", "b", 0}, {"保険料", "保険", 2.0 / 3}, {"aaaa", "aa", 1},
	} {
		a, b := spell(nil, tc.a), spell(nil, tc.b)
		if got := dice(&a, &b, 0); got != tc.want {
			t.Errorf("%s and %s: %v, want %v", tc.a, tc.b, got, tc.want)
		}
	}
}

func TestTheLeastOfDiceOnlyHidesWhatIsBelow(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		word := rapid.StringMatching(`[a-f保険料]{1,12}`)
		a, b := spell(nil, word.Draw(rt, "a")), spell(nil, word.Draw(rt, "b"))
		least := rapid.Float64Range(0, 1).Draw(rt, "least")
		want := dice(&a, &b, 0)
		if want < least {
			want = 0
		}
		if got := dice(&a, &b, least); got != want {
			rt.Fatalf("%v, want %v", got, want)
		}
	})
}

func TestTheSieveHoldsNothingBackThatIsAlike(t *testing.T) {
	word := rapid.StringMatching(`[a-c保険料払éー]{1,8}|appl(y|ies|ied)|dig|die`)
	rapid.Check(t, func(rt *rapid.T) {
		m, config := newMatcher(), defaults
		config.DiceLeast = rapid.Float64Range(0, 1).Draw(rt, "least")
		queried := rapid.SliceOfN(word, 1, 3).Draw(rt, "query")
		m.begin(config, lexical.Terms{Texts: queried, Weights: []float64{1, 1, 1}[:len(queried)]}, "")
		if w := word.Draw(rt, "word"); m.compare(w) != unlike && !m.sieve.passes(w) {
			rt.Fatalf("%q is like %q and is held back", w, queried)
		}
	})
}

func TestWords(t *testing.T) {
	var got []string
	words("第3条の保険料 std::vector を map_status へ", func(at int, w string) { got = append(got, fmt.Sprint(at, " ", w)) })
	want := []string{"0 第", "3 3", "4 条", "10 保険料", "20 std::vector", "20 std", "20 vector", "36 map_status", "36 map", "36 status"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestLongQueriesKeepTheirWeightiestWords(t *testing.T) {
	var content lexical.Terms
	for i := range 3 * mostWords {
		content.Texts, content.Weights = append(content.Texts, fmt.Sprintf("w%d", i)), append(content.Weights, float64(i))
	}
	got, total := query(content, new(text.Tokenizer), "")
	if len(got) != mostWords || got[0].text != "w191" || total != float64(128+191)*mostWords/2 {
		t.Errorf("%d words from %s, %v", len(got), got[0].text, total)
	}
}

func TestConfigure(t *testing.T) {
	for config, ok := range map[string]bool{
		`{}`: true, `{"window": 256, "stem": 0.5}`: true,
		`{"learned": 0.5}`: false, `{"dice": "2"}`: false, `{"unknown": 1}`: false, `[]`: false,
	} {
		s := New()
		if err := s.Configure(context.Background(), json.RawMessage(config)); (err == nil) != ok {
			t.Errorf("%s: %v", config, err)
		}
		if !ok && s.config != defaults {
			t.Errorf("%s changed the parameters to %+v", config, s.config)
		}
	}
	if d := New().Describe(); !json.Valid(d.ConfigSchema) || d.Stage != sdk.StageRerank || !slices.Contains(d.Signals, sdk.SignalLateRerank) {
		t.Errorf("%+v", d)
	}
}

func BenchmarkSearch(b *testing.B) {
	english := strings.Repeat("the applicant must file a claim for retirement benefits with the local office before the deadline ", 15)
	japanese := strings.Repeat("申請者は期限までに保険料の支払い方法を変更する届出書を窓口に提出しなければならない。", 12)
	for name, tc := range map[string]struct {
		body  string
		query []string
	}{
		"english":  {english, []string{"apply", "retire", "benefit", "local", "office", "cancel", "refund"}},
		"japanese": {japanese, []string{"保険料", "払い戻し", "手続", "期限", "窓口", "変更方法"}},
	} {
		var sections []sdktest.Section
		req := &sdk.Request{}
		for i := range 50 {
			sections = append(sections, sdktest.Section{Heading: "見出し heading", Body: fmt.Sprintf("%s w%d x%d y%d", tc.body, i, i, i)})
			req.Pool = append(req.Pool, sdk.Candidate{Section: uint32(i)})
		}
		for _, w := range tc.query {
			req.Query.Terms = append(req.Query.Terms, sdk.Term{Text: w, Kind: sdk.TermSoft, Weight: 1})
		}
		req.Corpus = sdktest.Snapshot(b, sections...)
		b.Run(name, func(b *testing.B) {
			s := New()
			for b.Loop() {
				if _, err := s.Search(context.Background(), req); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
