package fulltext

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/sdktest"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/text"
	"github.com/sagasu-search/sagasu/sdk/x/patentquery"
)

// pieces are the parts of random texts and terms: words and their inflections, overlapping Japanese, identifiers,
// numbers, and separators.
var pieces = []string{
	"sensor", "sensors", "sensing", "heat", "sink", "sinks", "Heat-Sink", "light-emitting", "stability", "stable", "dying", "die", "spokes", "speak",
	"fooBar", "foo_bar", "data-sets", "dataset", "LiDAR", "3.5", "100mm", "v1.2", "100mmHeat-Sink", "x-fooBar",
	"顔", "顔認証", "認証", "認証装置", "証", "マスク", "サーバー",
	"LED", "LED照明", "第三", "・", "、", "。", "\n", " ", " ", "-",
}

func drawText(t *rapid.T, label string, most int) string {
	var b strings.Builder
	for _, p := range rapid.SliceOfN(rapid.SampledFrom(pieces), 0, most).Draw(t, label) {
		b.WriteString(p)
		if rapid.Bool().Draw(t, "space") {
			b.WriteByte(' ')
		}
	}
	return b.String()
}

func drawPublications(t *rapid.T) []sdktest.Publication {
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) sdktest.Publication {
		return sdktest.Publication{
			Title: drawText(t, "title", 3), Abst: drawText(t, "abst", 6),
			Claim: "1. " + drawText(t, "claim", 5) + rapid.SampledFrom([]string{"\n2. The ", "【請求項２】", ""}).Draw(t, "second") + drawText(t, "claim 2", 5),
			Desc:  "技術分野。" + rapid.SampledFrom([]string{"【背景技術】", ""}).Draw(t, "background") + drawText(t, "desc", 8) + "【発明の概要】" + drawText(t, "rest", 8),
		}
	}), 1, 12).Draw(t, "publications")
}

var terms = []string{
	"sensor", "sensors", `"sensors"`, "sens*", "s*", "heat", "sink", `"heat sink"`, `"heat sink*"`, "heat-sink", "stability", "stab*", "die", "dying", "spoke",
	"foo", "bar", "foobar", `"foobar"`, "foob*", `"foo"`, "foo_bar", "foo*", "dataset", "data", "data-set*", "lidar", "dar", "3.5", "3*", "100", "100mm", "100m*", "mm", "mmheat", "v1*", "v1.2", "1.2",
	"顔", "認証", "顔認証", "顔認証装置", "証マ", `"認証 マスク"`, "サーバ", "LED", "LED照明", "led*", "照明", "第3", "light", "emitting", "light-emitting",
}

func drawQuery(depth int) *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		term := rapid.SampledFrom(terms)
		kind := rapid.IntRange(0, 9).Draw(t, "kind")
		switch sub := drawQuery(depth - 1); {
		case kind == 0 && rapid.Bool().Draw(t, "words"):
			near := rapid.SampledFrom([]string{"NEAR", "NEAR2", "ADJ1", "ADJ5"}).Draw(t, "words apart")
			return "(" + term.Draw(t, "left") + " " + near + " (" + term.Draw(t, "right") + " OR " + term.Draw(t, "or") + "))"
		case kind == 0:
			side := func(label string) string { return strings.ReplaceAll(term.Draw(t, label), `"`, `\"`) }
			return rapid.SampledFrom([]string{"*N0", "*N3", "*N12", "*ONP2", "title:*N9"}).Draw(t, "near") + `"` + side("left") + " (" + side("right") + " OR " + side("or") + `)"`
		case kind < 4 || depth == 0:
			return rapid.SampledFrom([]string{"", "", "", "title:", "abst:", "claim:", "desc:"}).Draw(t, "field") + term.Draw(t, "term")
		case kind < 6:
			return "(" + sub.Draw(t, "a") + " OR " + sub.Draw(t, "b") + ")"
		case kind < 9:
			return "(" + sub.Draw(t, "a") + " AND " + sub.Draw(t, "b") + ")"
		default:
			return "(NOT " + sub.Draw(t, "a") + ")"
		}
	})
}

// scan returns the matches of a query by scanning the texts.
func scan(t testing.TB, pubs []sdktest.Publication, query string, scope patentquery.Scope) *roaring.Bitmap {
	n, err := patentquery.Parse(query)
	if err != nil {
		t.Fatal(query, err)
	}
	out := roaring.New()
	for i, p := range pubs {
		texts := map[patentquery.Field]*text.Text{}
		for f, s := range map[patentquery.Field]string{patentquery.Title: p.Title, patentquery.Abst: p.Abst, patentquery.Claim: p.Claim, patentquery.Desc: p.Desc} {
			cut := text.Normalize(s)
			if scope.Partial() {
				cut = text.Text{Norm: scope.Cut(cut.Norm)}
			}
			texts[f] = &cut
		}
		if holds(n, texts, scope.Fields()) {
			out.Add(uint32(i))
		}
	}
	return out
}

func search(t testing.TB, ctx context.Context, snap *snapshot.Snapshot, query string, scope *roaring.Bitmap, params string) *sdk.Result {
	req := &sdk.Request{Corpus: snap, Query: sdk.Query{Raw: query}, Scope: scope, Limit: 100}
	if params != "" {
		req.Params = json.RawMessage(params)
	}
	res, err := New().Search(ctx, req)
	if err != nil {
		t.Fatal(query, err)
	}
	return res
}

// The index gives the same matches as a scan of the texts.
func TestMatchesAreExact(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		pubs := drawPublications(r)
		snap := sdktest.Publications(t, pubs...)
		query := drawQuery(3).Draw(r, "query")
		feature := rapid.SampledFrom(patentquery.Scopes[:]).Draw(r, "scope")
		if feature.Partial() {
			query = strings.NewReplacer("title:", "", "abst:", "", "claim:", "", "desc:", "").Replace(query)
		}
		want := scan(t, pubs, query, feature)
		got := search(t, t.Context(), snap, query, nil, `{"feature_scope": "`+string(feature)+`"}`)
		if diff := cmp.Diff(want.ToArray(), got.Matched.ToArray()); diff != "" {
			r.Fatalf("%s in %s of %q:\n%s", query, feature, pubs, diff)
		}
		if len(got.Candidates) != int(want.GetCardinality()) || !got.Finished || got.Examined != len(pubs) {
			r.Fatalf("%s: %d candidates of %d, %d examined of %d", query, len(got.Candidates), want.GetCardinality(), got.Examined, len(pubs))
		}
	})
}

// A part of a word in camelCase counts for proximity, whatever precedes it in the word.
func TestProximityFindsPartsOfWords(t *testing.T) {
	for _, title := range []string{"Heat-sinkstability", "ledHeat-sinkstability", "LEDHeat-sinkstability", "3Heat-sinkstability"} {
		snap := sdktest.Publications(t, sdktest.Publication{Title: title})
		for query, want := range map[string]int{`*N3"heat sink*"`: 1, `*N3"led* heat"`: 0} {
			if got := search(t, t.Context(), snap, query, nil, "").Matched.GetCardinality(); int(got) != want {
				t.Errorf("%s in %s: %d, want %d", query, title, got, want)
			}
		}
	}
}

// holds reports whether a publication matches a query, judged by its texts alone.
func holds(n patentquery.Node, texts map[patentquery.Field]*text.Text, scope []patentquery.Field) bool {
	inFields := func(named patentquery.Field, in func(*text.Text) bool) bool {
		fields := scope
		if named != patentquery.Any {
			fields = []patentquery.Field{named}
		}
		return slices.ContainsFunc(fields, func(f patentquery.Field) bool { return in(texts[f]) })
	}
	inner := func(n patentquery.Node) bool { return holds(n, texts, scope) }
	switch n := n.(type) {
	case patentquery.And:
		return !slices.ContainsFunc(n.Nodes, func(n patentquery.Node) bool { return !inner(n) })
	case patentquery.Or:
		return slices.ContainsFunc(n.Nodes, inner)
	case patentquery.Not:
		return !inner(n.Node)
	case patentquery.Term:
		return inFields(n.Field, patentquery.NewPattern(n).In)
	case patentquery.Near:
		return inFields(n.Field, patentquery.NewProximity(n).In)
	}
	return false
}
