package conformance

import (
	"fmt"
	"strings"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/text"
)

// question is a query with a description.
type question struct{ what, raw string }

// ordinary are queries that every strategy must answer.
var ordinary = []question{
	{"an English query", "refund deadline"},
	{"an English question", "how do I reset the device password"},
	{"a Japanese query", "返金の期限"},
	{"a Japanese question", "機器を初期化する手順は何ですか"},
	{"a code", "E-104"},
	{"a query for exceptions", "保証の例外"},
	{"a query of both languages", "backup サーバー"},
	{"a query that nothing holds", "zyxwvut"},
}

// edgeQueries returns queries that a strategy may refuse with an error.
func edgeQueries() []question {
	return []question{
		{"an empty query", ""},
		{"a query of spaces", " \t　"},
		{"control characters", "refund\x00\x07\x1b[2J\u202e\u2028deadline"},
		{"invalid UTF-8", "refund \xff\xfe\xc3 deadline\xe3\x81"},
		{"punctuation", `"(([*+?-\\/AND NOT "「`},
		{"a word of 64 KB", strings.Repeat("x", 64<<10)},
		{"64 KB of Japanese without a space", strings.Repeat("初期化の手順と返金", 64<<10/27)},
		{"ten thousand words", strings.Repeat("refund deadline backup disk ", 2500)},
		{"emoji", "🔥 restore 🇯🇵👩‍👩‍👧"},
		{"a thousand combining marks", "e" + strings.Repeat("\u0301", 1000)},
	}
}

// mostTerms is the maximum number of terms in a query from the host.
const mostTerms = 256

// plan returns a query like that of the host, simplified.
func plan(raw string) sdk.Query {
	q := sdk.Query{Raw: raw, Intent: sdk.IntentUnknown, Text: text.Fold(raw), MatchThreshold: 0.05}
	seen := map[string]bool{}
	for word := range strings.FieldsSeq(q.Text) {
		if len(q.Terms) == mostTerms {
			break
		}
		if !seen[word] {
			seen[word] = true
			q.Terms = append(q.Terms, sdk.Term{Text: word, Kind: sdk.TermSoft, Weight: 1})
		}
	}
	if strings.Contains(raw, "例外") {
		q.Intent = sdk.IntentExceptions
	}
	return q
}

// request returns a request for a question on a corpus.
func (e *Suite) request(corpus *snapshot.Snapshot, q question, scope *roaring.Bitmap, limit int) *sdk.Request {
	req := &sdk.Request{Query: plan(q.raw), Corpus: corpus, Scope: scope, Limit: limit}
	if e.described.Stage != sdk.StageRetrieve {
		req.Pool = pool(corpus, scope, 40)
	}
	if e.described.Stage == sdk.StageJudge {
		req.Passages = sdk.Passages(corpus, req.Pool)
	}
	return req
}

// pool returns candidates that earlier stages might have found: every third section of the scope.
func pool(corpus *snapshot.Snapshot, scope *roaring.Bitmap, most int) []sdk.Candidate {
	live := corpus.Live()
	if scope != nil {
		live = roaring.And(live, scope)
	}
	out := []sdk.Candidate{}
	for i, id := range live.ToArray() {
		if i%3 == 0 && len(out) < most {
			out = append(out, sdk.Candidate{
				Section: id, Score: float64(most - len(out)), Coverage: 0.5,
				Signals: []string{sdk.SignalNormalized}, Terms: []string{"refund"},
			})
		}
	}
	return out
}

// trial is a request with a description.
type trial struct {
	what string
	req  *sdk.Request
}

// trials returns requests for every ordinary question, with scopes and limits of several sizes.
func (e *Suite) trials(corpus *snapshot.Snapshot) []trial {
	half := roaring.New()
	for i, id := range corpus.Live().ToArray() {
		if i%2 == 0 {
			half.Add(id)
		}
	}
	var out []trial
	for _, q := range ordinary {
		for _, way := range []struct {
			what  string
			scope *roaring.Bitmap
			limit int
		}{
			{"everything", nil, 1000}, {"half of the corpus", half, 20}, {"half of the corpus", half, 1},
			{"one section", roaring.BitmapOf(half.Minimum()), 5}, {"an empty scope", roaring.New(), 5},
		} {
			out = append(out, trial{
				fmt.Sprintf("%s in %s, limit %d", q.what, way.what, way.limit),
				e.request(corpus, q, way.scope, way.limit),
			})
		}
	}
	return out
}
