package patentquery_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/sagasu-search/sagasu/sdk/text"
	. "github.com/sagasu-search/sagasu/sdk/x/patentquery"
)

// sample is the text of a publication that the tests search.
var sample = map[Field]string{
	Title: "顔認証装置及びプログラム",
	Abst:  "マスク等で顔の一部が遮蔽され\nた場合でも、サーバーが本人を認証する。",
	Claim: "1. A light-emitting diode (LED) module with heat sinks and a Fan, rated 3.5 V.",
	Desc:  "The fooBar controller drives LEDs at 100mm. 光ファイバ・ケーブルとＬＥＤ照明を用いる。",
}

func texts(fields map[Field]string) map[Field]*text.Text {
	cut := map[Field]*text.Text{}
	for _, f := range Fields {
		t := text.Normalize(fields[f])
		cut[f] = &t
	}
	return cut
}

func match(t testing.TB, query string, scope ...Field) bool {
	n, err := Parse(query)
	if err != nil {
		t.Fatal(query, err)
	}
	if len(scope) == 0 {
		scope = Fields[:]
	}
	return holds(n, texts(sample), scope)
}

// holds reports whether a publication matches a query, judged by its texts alone.
func holds(n Node, texts map[Field]*text.Text, scope []Field) bool {
	inFields := func(named Field, in func(*text.Text) bool) bool {
		fields := scope
		if named != Any {
			fields = []Field{named}
		}
		return slices.ContainsFunc(fields, func(f Field) bool { return in(texts[f]) })
	}
	inner := func(n Node) bool { return holds(n, texts, scope) }
	switch n := n.(type) {
	case And:
		return !slices.ContainsFunc(n.Nodes, func(n Node) bool { return !inner(n) })
	case Or:
		return slices.ContainsFunc(n.Nodes, inner)
	case Not:
		return !inner(n.Node)
	case Term:
		return inFields(n.Field, NewPattern(n).In)
	case Near:
		return inFields(n.Field, NewProximity(n).In)
	}
	return false
}

func TestMatch(t *testing.T) {
	for query, want := range map[string]bool{
		`顔認証`:                         true,
		`認証装置`:                        true,
		`顔識別`:                         false,
		`遮蔽された`:                       true, // across the end of a line
		`"遮蔽 された"`:                    true,
		`サーバ`:                         true,
		`ｻｰﾊﾞｰ`:                       true,
		`光ファイバケーブル`:                   false, // a middle dot is not a space
		`光ファイバ・ケーブル`:                  true,
		`led`:                         true,
		`LED照明`:                       true,
		`ED照明`:                        false,
		`diodes`:                      true, // by its stem
		`"diodes"`:                    false,
		`"heat sink"`:                 false,
		`"heat sinks"`:                true,
		`"heat sink*"`:                true,
		`emitt*`:                      true,
		`mitting*`:                    false,
		`"light emitting"`:            true,
		`light-emitting`:              true,
		`fan`:                         true,
		`fa`:                          false,
		`3.5`:                         true,
		`foobar`:                      true,
		`foo`:                         true,
		`100`:                         true,
		`title:顔認証`:                   true,
		`abst:顔認証`:                    false,
		`title:(顔識別 OR プログラム)`:        true,
		`顔認証 AND NOT マスク`:             false,
		`顔認証 AND NOT ヘルメット`:           true,
		`顔識別 OR (マスク 遮蔽)`:             true,
		`NOT 顔識別`:                     true,
		`*N3"顔 遮蔽"`:                   false,
		`*N4"顔 遮蔽"`:                   true, // 顔[の一部が]遮蔽
		`*N4"遮蔽 顔"`:                   true,
		`*ONP4"遮蔽 顔"`:                 false,
		`*ONP4"(面 OR 顔) (遮蔽 OR 隠蔽)"`:  true,
		`title:*N99"顔 遮蔽"`:            false,
		`*N0"顔 認証"`:                   true,
		`*N0"顔認 認証"`:                  false, // they overlap
		`*N20"\"heat sinks\" diodes"`: true,
		`*N7"fa* \"heat sink*\""`:     true,
		`heat ADJ sinks`:              true,
		`sinks ADJ heat`:              false,
		`sinks NEAR heat`:             true,
		`diode NEAR2 heat`:            false, // (LED) module with
		`diode NEAR3 heat`:            true,
		`heat ADJ3 diode`:             false,
		`(foo OR heat) ADJ3 fan`:      true, // sinks and a
		`"fan heat"~3`:                true,
		`"fan heat"~2`:                false,
		`fan NEAR2 "3.5"`:             true,  // rated
		`fan NEAR1 V`:                 false, // rated 3.5, two words
		`fan NEAR2 V`:                 true,
		`顔 ADJ4 遮蔽`:                   true, // each character is a word
		`顔 ADJ3 遮蔽`:                   false,
		`顔認証 XOR マスク`:                 false,
		`顔認証 XOR ヘルメット`:               true,
	} {
		if got := match(t, query); got != want {
			t.Errorf("Match(%s) = %v, want %v", query, got, want)
		}
	}
}

func TestScopeBoundsTermsWithoutField(t *testing.T) {
	for _, c := range []struct {
		query string
		scope []Field
		want  bool
	}{
		{`マスク`, []Field{Title, Claim}, false},
		{`マスク`, []Field{Title, Abst}, true},
		{`abst:マスク`, []Field{Title}, true},
		{`*N9"顔 遮蔽"`, []Field{Claim}, false},
	} {
		if got := match(t, c.query, c.scope...); got != c.want {
			t.Errorf("Match(%s) in %v = %v, want %v", c.query, c.scope, got, c.want)
		}
	}
}

var pieces = []string{"顔", "顔認証", "認", "証", "マスク", "サーバー", "・", "、", " ", "\n", "-", "LED", "leds", "heat", "sink", "sinks", "3.5", "100mA", "100m", "100mmHeat", ".", "_", "f", "foob", "fooBar", "light-emitting", "第三", "ー"}

func draw(t *rapid.T, label string, most int) string {
	joined := ""
	for _, s := range rapid.SliceOfN(rapid.SampledFrom(pieces), 1, most).Draw(t, label) {
		joined += s
	}
	return joined
}

// An index of the tokens of a text must find every text that a pattern matches, and for a stem exactly these.
func TestPatternsNameWhatAnIndexHolds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		body := text.Normalize(draw(t, "text", 12))
		term := Term{Text: draw(t, "term", 3), Quoted: rapid.Bool().Draw(t, "quoted"), Prefix: rapid.Bool().Draw(t, "prefix")}
		if text.Loose(text.Fold(term.Text)) == "" {
			t.Skip("nothing to find")
		}
		p := NewPattern(term)
		held := map[string]bool{}
		var z text.Tokenizer
		for tok := range z.Tokens(&body) {
			held[tok.Term] = true
		}
		in := p.In(&body)
		if stem := p.Stem(); stem != "" && held[stem] != in {
			t.Fatalf("%v in %q: %v, and the index holds its stem: %v", term, body.Norm, in, held[stem])
		}
		for _, group := range p.Required() {
			if in && !slices.ContainsFunc(group, func(s string) bool { return held[s] }) {
				t.Fatalf("%v is in %q, which has none of %q", term, body.Norm, group)
			}
		}
		starts := func(term string) bool { return strings.HasPrefix(strings.TrimPrefix(term, text.ExactMark), p.Open()) }
		if in && !slices.ContainsFunc(slices.Collect(maps.Keys(held)), starts) {
			t.Fatalf("%v is in %q, where nothing starts with %q", term, body.Norm, p.Open())
		}
	})
}

// Apart from letters, digits and brackets, a Japanese term is a substring of the text.
func TestJapaneseTermsAreSubstrings(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		chars := rapid.StringOfN(rapid.RuneFrom([]rune("顔認証の遮蔽部")), 1, 12, -1)
		body, term := chars.Draw(t, "text"), chars.Draw(t, "term")
		b := text.Normalize(body)
		want := containsRunes(body, term)
		if got := NewPattern(Term{Text: term}).In(&b); got != want {
			t.Fatalf("%q in %q: %v", term, body, got)
		}
	})
}

func containsRunes(body, term string) bool {
	b, n := []rune(body), []rune(term)
	for i := 0; i+len(n) <= len(b); i++ {
		if slices.Equal(b[i:i+len(n)], n) {
			return true
		}
	}
	return false
}

func TestProximityCountsCharactersBetween(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		gap := rapid.IntRange(0, 40).Draw(t, "gap")
		distance := rapid.IntRange(0, 40).Draw(t, "distance")
		ordered, swapped := rapid.Bool().Draw(t, "ordered"), rapid.Bool().Draw(t, "swapped")
		body := "甲"
		for range gap {
			body += "字"
		}
		body += "乙"
		if swapped {
			runes := []rune(body)
			slices.Reverse(runes)
			body = string(runes)
		}
		norm := text.Normalize(body)
		n := Near{Ordered: ordered, Distance: distance, Left: []Term{{Text: "甲"}}, Right: []Term{{Text: "乙"}}}
		if got, want := NewProximity(n).In(&norm), gap <= distance && !(ordered && swapped); got != want {
			t.Fatalf("%s in %s: %v", n, body, got)
		}
	})
}

func TestOpenWord(t *testing.T) {
	for _, c := range []struct {
		term Term
		want string
	}{
		{Term{Text: "Sens", Prefix: true}, "sens"},
		{Term{Text: "heat sin", Quoted: true, Prefix: true}, "sin"},
		{Term{Text: "100m", Prefix: true}, "100m"},
		{Term{Text: "x-fooB", Prefix: true}, "foob"},
		{Term{Text: "顔", Prefix: true}, ""},
		{Term{Text: "sensor"}, ""},
	} {
		if got := NewPattern(c.term).Open(); got != c.want {
			t.Errorf("Open(%v) = %q, want %q", c.term, got, c.want)
		}
	}
}

// TestFamilies finds words whose index term starts like another word of their family.
func TestFamilies(t *testing.T) {
	body := text.Normalize("A rim that the spokes hold, and what was brought, in one analysis.")
	for _, word := range []string{"spoke", "spokes", "speaking", "bring", "analyze"} {
		p := NewPattern(Term{Text: word})
		if !p.In(&body) {
			t.Errorf("%s, found by the term %s, is not seen in the text", word, p.Stem())
		}
	}
	for query, want := range map[string]bool{
		"spoke NEAR2 rim": true, "rim ADJ2 spokes": true, "spoke ADJ5 rim": false, `*N30"bring analysis"`: true, "spike NEAR9 rim": false,
	} {
		n, err := Parse(query)
		if err != nil {
			t.Fatal(err)
		}
		if near := n.(Near); NewProximity(near).In(&body) != want {
			t.Errorf("%s is not %v", query, want)
		}
	}
}
