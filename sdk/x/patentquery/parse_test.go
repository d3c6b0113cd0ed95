package patentquery_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	. "github.com/sagasu-search/sagasu/sdk/x/patentquery"
)

func w(s string) Term { return Term{Text: s} }
func q(s string) Term { return Term{Text: s, Quoted: true} }

func TestParse(t *testing.T) {
	for query, want := range map[string]Node{
		`顔認証`:                    w("顔認証"),
		`顔認証 マスク`:                And{[]Node{w("顔認証"), w("マスク")}},
		`a and b AND c`:          And{[]Node{w("a"), w("b"), w("c")}},
		`a or b Or c`:            Or{[]Node{w("a"), w("b"), w("c")}},
		`a OR b c`:               Or{[]Node{w("a"), And{[]Node{w("b"), w("c")}}}},
		`a (b c)`:                And{[]Node{w("a"), w("b"), w("c")}},
		`a NOT b`:                And{[]Node{w("a"), Not{w("b")}}},
		`not not a`:              Not{Not{w("a")}},
		`NOT (a OR b)`:           Not{Or{[]Node{w("a"), w("b")}}},
		`((((a))))`:              w("a"),
		`"heat sink"`:            q("heat sink"),
		`"and"`:                  q("and"),
		`"heat sink*"`:           Term{Text: "heat sink", Quoted: true, Prefix: true},
		`sens*`:                  Term{Text: "sens", Prefix: true},
		`a"b c"d`:                And{[]Node{w("a"), q("b c"), w("d")}},
		`title:顔`:                Term{Field: Title, Text: "顔"},
		`Abstract: "a b"`:        Term{Field: Abst, Text: "a b", Quoted: true},
		`claims:(a OR b) c`:      And{[]Node{Or{[]Node{Term{Field: Claim, Text: "a"}, Term{Field: Claim, Text: "b"}}}, w("c")}},
		`10:1`:                   w("10:1"),
		`x=y /tmp and/or`:        And{[]Node{w("x=y"), w("/tmp"), w("and/or")}},
		`*N30"遮蔽 顔"`:             Near{Distance: 30, Left: []Term{w("遮蔽")}, Right: []Term{w("顔")}},
		`*onp5"(a OR b) c*"`:     Near{Ordered: true, Distance: 5, Left: []Term{w("a"), w("b")}, Right: []Term{{Text: "c", Prefix: true}}},
		`*N0"\"heat sink\" fan"`: Near{Left: []Term{q("heat sink")}, Right: []Term{w("fan")}},
		`desc:*N3"a b"`:          Near{Field: Desc, Distance: 3, Left: []Term{{Field: Desc, Text: "a"}}, Right: []Term{{Field: Desc, Text: "b"}}},
		`（顔　ＯＲ　面）　“部分 遮蔽”`: And{[]Node{Or{[]Node{w("顔"), w("面")}}, q("部分 遮蔽")}},
		`＊N3"a b"`: Near{Distance: 3, Left: []Term{w("a")}, Right: []Term{w("b")}},
		`ＴＩＴＬＥ：顔　ＡＮＤ　ｃｌａｉｍｓ：（目　ＯＲ　口）`: And{[]Node{
			Term{Field: Title, Text: "顔"}, Or{[]Node{Term{Field: Claim, Text: "目"}, Term{Field: Claim, Text: "口"}}},
		}},
		`＊Ｎ３０＂遮蔽　顔＊＂`:                  Near{Distance: 30, Left: []Term{w("遮蔽")}, Right: []Term{{Text: "顔", Prefix: true}}},
		`a NEAR5 b`:                    Near{Words: true, Distance: 5, Left: []Term{w("a")}, Right: []Term{w("b")}},
		`a near/5 b`:                   Near{Words: true, Distance: 5, Left: []Term{w("a")}, Right: []Term{w("b")}},
		`a ADJ b`:                      Near{Words: true, Ordered: true, Left: []Term{w("a")}, Right: []Term{w("b")}},
		`title:((a OR b*) adj12 "c")`:  Near{Field: Title, Words: true, Ordered: true, Distance: 12, Left: []Term{{Field: Title, Text: "a"}, {Field: Title, Text: "b", Prefix: true}}, Right: []Term{{Field: Title, Text: "c", Quoted: true}}},
		`a near b`:                     And{[]Node{w("a"), w("near"), w("b")}},
		`x a ＮＥＡＲ３ b c`:                And{[]Node{w("x"), Near{Words: true, Distance: 3, Left: []Term{w("a")}, Right: []Term{w("b")}}, w("c")}},
		`"heat sinks*"~3`:              Near{Words: true, Distance: 3, Left: []Term{w("heat")}, Right: []Term{{Text: "sinks", Prefix: true}}},
		`"AND gate"~3`:                 Near{Words: true, Distance: 3, Left: []Term{q("AND")}, Right: []Term{w("gate")}},
		`a XOR b`:                      Or{[]Node{And{[]Node{w("a"), Not{w("b")}}}, And{[]Node{w("b"), Not{w("a")}}}}},
		`a b XOR c OR d`:               Or{[]Node{And{[]Node{w("a"), w("b"), Not{w("c")}}}, And{[]Node{w("c"), Not{And{[]Node{w("a"), w("b")}}}}}, w("d")}},
		`ipc:"g06v 10/82" a`:           And{[]Node{Code{"ipc", "G06V10/82"}, w("a")}},
		`ipc:H05K 7/20 a`:              And{[]Node{Code{"ipc", "H05K7/20"}, w("a")}},
		`fi:(g06t 7/00,350@C OR H05K)`: Or{[]Node{Code{"fi", "G06T7/00,350@C"}, Code{"fi", "H05K"}}},
		`ft:5e322 aa01 a`:              And{[]Node{Code{"ft", "5E322AA01"}, w("a")}},
		`fi:G06T 7/00 350C 350D`:       And{[]Node{Code{"fi", "G06T7/00,350C"}, w("350D")}},
		`fi:A61B 1/00 610 a`:           And{[]Node{Code{"fi", "A61B1/00,610"}, w("a")}},
		`fi:G06T 7/00 350 C 350`:       And{[]Node{Code{"fi", "G06T7/00,350@C"}, w("350")}},
		`fi:H01M 10/48 P a`:            And{[]Node{Code{"fi", "H01M10/48@P"}, w("a")}},
		`fi:H01M a`:                    And{[]Node{Code{"fi", "H01M"}, w("a")}},
		`ipc:G06T 7/00 350C`:           And{[]Node{Code{"ipc", "G06T7/00"}, w("350C")}},
		`ipc:H05K7 7/20`:               And{[]Node{Code{"ipc", "H05K7"}, w("7/20")}},
		`ipc:"H05K" 7/20`:              And{[]Node{Code{"ipc", "H05K"}, w("7/20")}},
		`C# #1`:                        And{[]Node{w("C#"), w("#1")}},
		`CPC:(G06V* OR H04N5/00)`:      Or{[]Node{Code{"cpc", "G06V"}, Code{"cpc", "H04N5/00"}}},
		`NOT fi:G06F3/041,330A`:        Not{Code{"fi", "G06F3/041,330A"}},
		`ft:5b089 applicant:Ａｃｍｅ`:      And{[]Node{Code{"ft", "5B089"}, Code{"applicant", "acme"}}},
		`＊ｏｎｐ５"￥"a b￥" c"`:             Near{Ordered: true, Distance: 5, Left: []Term{q("a b")}, Right: []Term{w("c")}},
	} {
		got, err := Parse(query)
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("Parse(%q): %v (-want +got):\n%s", query, err, diff)
		}
	}
}

func TestSyntaxErrors(t *testing.T) {
	for _, c := range []struct {
		query    string
		position int
		found    string // part of it
		expected string // part of it
		example  string
	}{
		{``, 1, "end of the query", "a term", ""},
		{`  `, 3, "end of the query", "a term", ""},
		{`(顔認証 OR 顔識別`, 1, "( that is not closed", ")", `顔認証 OR 顔識別`},
		{`顔認証)`, 4, ") without its (", "AND, OR, NOT", `顔認証`},
		{`顔認証 AND`, 8, "end of the query", "a term", `顔認証`},
		{`顔認証 AND OR マスク`, 9, "operator OR", "a term", `顔認証 AND マスク`},
		{`OR 顔`, 1, "operator OR", "quote the word", `顔`},
		{`(顔 AND) 面`, 7, `")"`, "a term", `顔 AND 面`},
		{`顔 ()`, 4, "nothing between", "a term", `顔`},
		{`"顔認証`, 1, "quote that is not closed", `closing "`, `"顔認証"`},
		{`顔 AND "`, 7, "quote that is not closed", `closing "`, `顔`},
		{`body:顔`, 1, `field "body"`, "title, abst, claim, desc, fi", `顔`},
		{`title:(abst:顔)`, 8, "a field inside title:", "without a field", `title:顔`},
		{`a*b`, 2, "* inside a term", "at the end", `a* AND b`},
		{`*`, 1, `"*"`, "proximity", ""},
		{`*X30"a b"`, 1, `"*X30`, "proximity", ""},
		{`*N"a b"`, 1, `*N`, "distance of 0 to 9999", `*N30"a b"`},
		{`*N99999"a b"`, 1, `*N99999`, "distance of 0 to 9999", `*N30"a b"`},
		{`*N30 a`, 5, `" "`, "two sides", `a`},
		{`*N30"a"`, 7, "end of the proximity", "two sides", ""},
		{`*N30"a b c"`, 10, `"c"`, `the " that ends`, `*N30"a b"`},
		{`*N30"a AND b"`, 8, "operator AND", "no operator", `*N30"a b"`},
		{`*N30"(a b) c"`, 9, `"b"`, "OR or )", ""},
		{`*N30"a b`, 1, "not closed", `closing "`, `*N30"a b"`},
		{`*N30"(顔 AND 口) 目"`, 9, "the operator AND", "OR or )", ""},
		{`*N30"(sensor array) 目"`, 14, `"array"`, "OR or )", ""},
		{`顔　ＡＮＤ`, 6, "end of the query", "a term", `顔`},
		{`ｂｏｄｙ：顔`, 1, `field "body"`, "title, abst, claim, desc, fi", `顔`},
		{`colo?r AND lens`, 5, "a ? that", "(color OR colour)", `colo* AND lens`},
		{`sensor?? lens`, 7, "a ? that", "sens*", `sensor* AND lens`},
		{`?ensor lens`, 1, "a ? that", "sens*", `ensor AND lens`},
		{`顔？`, 2, "a ? that", "sens*", `顔*`},
		{`"a colo?r" b`, 8, "a ? that", "sens*", `"a colo r" AND b`},
		{`vehicle$ b`, 8, "a $ that", "sens*", `vehicle* AND b`},
		{`vehicle$2 b`, 8, "a $ that", "sens*", `vehicle* AND b`},
		{`lens *sensor`, 6, "a * before a word", "by OR", `lens AND sensor`},
		{`col#r AND lens`, 4, "a # that", "(color OR colour)", `col* AND lens`},
		{`a NEAR99999 b`, 3, "distance", "at most 9999", `(a NEAR9999 b)`},
		{`a ANDNOT b`, 3, `the operator "ANDNOT"`, "NOT", `a AND NOT b`},
		{`*認証`, 1, "a * before a word", "by OR", `認証`},
		{`sensor~ a`, 7, "a ~ after", "spelt", `sensor AND a`},
		{`顔～2`, 2, "a ~ after", "spelt", `顔`},
		{`"a b"~ c`, 6, "without a distance", "number of words", `"a b" AND c`},
		{`"a b c"~5`, 1, `"a b c`, "two words", `"a b c"`},
		{`"顔認証"~5`, 1, "顔認証", "two words", `"顔認証"`},
		{`*N30"a NEAR b"`, 8, "operator NEAR", "no operator", `*N30"a b"`},
		{`NEAR field`, 1, "operator NEAR", "quote the word", `field`},
		{`a NEAR5`, 8, "end of the query", "after NEAR5", `a`},
		{`a NEAR AND b`, 8, "operator AND", "after NEAR", `a AND b`},
		{`(a AND b) NEAR5 c`, 1, "more than alternatives", "on each side", `a AND b AND c`},
		{`a ADJ2 (b OR (c d))`, 8, "more than alternatives", "on each side", `a AND (b OR c AND d)`},
		{`a NEAR5 b NEAR5 c`, 11, "a third side", "by AND", `(a NEAR5 b) AND c`},
		{`title:a NEAR5 abst:b`, 9, "two fields", "title:(a", `title:a AND abst:b`},
		{`TI=(battery) a`, 1, `the field "TI"`, "title:", `title:battery AND a`},
		{`a cpc=H01L`, 3, `the field "cpc"`, "cpc:", `a AND cpc:"H01L"`},
		{`ti:a`, 1, `the field "ti"`, "title:", `title:a`},
		{`pn:US1 a`, 1, `the field "pn"`, "pub_id", `a`},
		{`pn:"US 1" a`, 1, `the field "pn"`, "pub_id", `a`},
		{`country:JP AND a`, 1, `the field "country"`, `"field": "country"`, `a`},
		{`a AND date:[2020 TO 2021] b`, 7, `the field "date"`, `"field": "date", "op": ">="`, `a AND b`},
		{`(a OR pubyear=2022)`, 7, `the field "pubyear"`, `"field": "pubyear"`, `a`},
		{`"heat sink"/ti b`, 12, `"/ti" after its term`, `title:"heat sink"`, `title:"heat sink" AND b`},
		{`a (b OR (c d)).ti. e`, 15, `".ti." after its term`, `title:"heat sink"`, `a AND (title:b OR title:c AND title:d) AND e`},
		{`*N5"a b"/ti`, 9, `"/ti" after its term`, `title:"heat sink"`, `*N5"a b"`},
		{`a w/3 b`, 3, `the operator "w/3"`, "NEAR3", `(a NEAR3 b)`},
		{`a PRE/3 b`, 3, `the operator "PRE/3"`, "ADJ3", `(a ADJ3 b)`},
		{`TTL/battery AND aclm/"a b"`, 1, `the field "TTL/"`, "title:", `title:battery AND claim:"a b"`},
		{`a cpc/H01M10/48`, 3, `the field "cpc/"`, "cpc:", `a AND cpc:"H01M10/48"`},
		{`battery/ti b`, 1, `"/ti" after its term`, "title:battery", `title:battery AND b`},
		{`"a b"/ti,ab`, 6, `"/ti,ab" after its term`, `(title:"heat sink" OR abst:"heat sink")`, `title:"a b" OR abst:"a b"`},
		{`a.ti,ab.`, 1, `".ti,ab." after its term`, "(title:a OR abst:a)", `title:a OR abst:a`},
		{`(a).clm. b`, 4, `".clm." after its term`, "claim:", `claim:a AND b`},
		{`顔認証/TX`, 1, `"/TX" after its term`, "顔認証", `顔認証`},
		{`[顔認証/TX]*[マスク/TX]`, 9, "a * between terms", "AND", `顔認証 AND マスク`},
		{`[顔/TI+口/TI]*目`, 12, "a * between", "AND", ""},
		{`顔認証＊マスク`, 4, "a * between terms", "AND", `顔認証 AND マスク`},
		{`顔認証+マスク`, 4, "a + between terms", "OR", `顔認証 OR マスク`},
		{`顔認証,10n,マスク`, 1, `",10n,"`, `*N10"顔認証 マスク"`, `*N10"顔認証 マスク"`},
		{`顔,5C,目`, 1, `",5C,"`, `*ONP5"顔 目"`, `*ONP5"顔 目"`},
		{`a (3w) b`, 4, `"(3w)"`, "ADJ3", `(a ADJ3 b)`},
		{`a(2N)b`, 3, `"(2N)"`, "NEAR2", `(a NEAR2 b)`},
		{`a -b`, 3, "a - before a word", "NOT", `a AND NOT b`},
		{`!a b`, 1, "a ! before a word", "NOT", `NOT a AND b`},
		{`a | b`, 3, `the operator "|"`, "OR", `a OR b`},
		{`a && b`, 3, `the operator "&&"`, "AND", `a AND b`},
		{`Ｆターム:5L096 AA01`, 1, `the field "Fターム"`, "ft:", `ft:"5L096AA01"`},
		{`F-term:5L096`, 1, `the field "F-term"`, "ft:", `ft:"5L096"`},
		{`国際特許分類:G06V`, 1, `the field "国際特許分類"`, "ipc:", `ipc:"G06V"`},
		{`公報番号:特開2023-123456`, 1, `the field "公報番号"`, "filter", ""},
		{`題名:顔`, 1, `the field "題名"`, "title:", `title:顔`},
		{`pn=US1 a`, 1, `the field "pn"`, "pub_id", `a`},
		{`tx:a`, 1, `the field "tx"`, "without a field", `a`},
		{`w/3 a`, 1, `the operator "w/3"`, "NEAR3", `a`},
		{`a XOR`, 6, "end of the query", "a term", `a`},
		{`XOR gate`, 1, "operator XOR", "quote the word", `gate`},
		{`ipc:`, 5, "end of the query", "such as G06V10/82", ""},
		{`ipc:battery a`, 5, `"battery"`, "such as G06V10/82", `ipc:"G06V10/82" AND a`},
		{`ft:G06V`, 4, `"G06V"`, "such as 5B089AA01", `ft:"5B089AA01"`},
		{`ipc:(G06V G06K)`, 11, `"G06K"`, "OR or )", ""},
		{`title:(ipc:G06V)`, 8, "a field inside title:", "terms without a field", ""},
		{`applicant:"?"`, 12, "a ? that", "", ""},
		{strings.Repeat("a XOR ", 9) + "b", 0, "term 1", "at most 1000 terms", ""},
		{strings.Repeat("a ", MaxTerms) + "NOT batch", 2005, `term 1001, "batch"`, "at most 1000 terms", ""},
		{`顔 AND 、`, 7, `"、"`, "letter or a digit", `顔`},
		{strings.Repeat("(", 300) + "a", 201, "more than 200", "flatter", ""},
		{strings.Repeat("a", MaxLength+1), 1, "65537 bytes", "at most 65536", ""},
	} {
		_, err := Parse(c.query)
		bad, ok := errors.AsType[*SyntaxError](err)
		if !ok {
			t.Errorf("Parse(%.40q) = %v", c.query, err)
			continue
		}
		if c.position > 0 && bad.Position != c.position || !strings.Contains(bad.Found, c.found) || !strings.Contains(bad.Expected, c.expected) {
			t.Errorf("Parse(%.40q) = %v", c.query, err)
		}
		if c.example != "" && bad.Example != c.example {
			t.Errorf("Parse(%.40q) suggests %q, want %q", c.query, bad.Example, c.example)
		}
	}
}

func genTerm() *rapid.Generator[Term] {
	words := rapid.SampledFrom([]string{"顔", "顔認証", "LED", "sensor", "heat-sink", "10:1", "and", "Or", "3.5", "title"})
	return rapid.Custom(func(t *rapid.T) Term {
		term := Term{Text: words.Draw(t, "word"), Quoted: rapid.Bool().Draw(t, "quoted"), Prefix: rapid.Bool().Draw(t, "prefix")}
		if strings.EqualFold(term.Text, "and") || strings.EqualFold(term.Text, "or") {
			term.Quoted = true
		}
		if term.Quoted && rapid.Bool().Draw(t, "more") {
			term.Text += " " + words.Draw(t, "word")
		}
		return term
	})
}

func genNode(depth int) *rapid.Generator[Node] {
	return rapid.Custom(func(t *rapid.T) Node {
		field := rapid.SampledFrom([]Field{Any, Any, Title, Abst, Claim, Desc}).Draw(t, "field")
		kind := rapid.IntRange(0, 5).Draw(t, "kind")
		switch {
		case kind == 5:
			return rapid.SampledFrom([]Node{Code{"ipc", "G06V"}, Code{"applicant", "acme (jp) corp."}, Code{"ft", "5B089AA01"}}).Draw(t, "code")
		case kind == 1:
			n := Near{
				Field: field, Ordered: rapid.Bool().Draw(t, "ordered"), Words: rapid.Bool().Draw(t, "words"), Distance: rapid.IntRange(0, 40).Draw(t, "distance"),
				Left: rapid.SliceOfN(genTerm(), 1, 3).Draw(t, "left"), Right: rapid.SliceOfN(genTerm(), 1, 3).Draw(t, "right"),
			}
			for _, side := range [][]Term{n.Left, n.Right} {
				for i := range side {
					side[i].Field = field
				}
			}
			return n
		case kind == 2 && depth > 0:
			return Not{genNode(depth-1).Draw(t, "not")}
		case kind == 3 && depth > 0:
			return flatten(rapid.SliceOfN(genNode(depth-1), 2, 4).Draw(t, "and"), func(n Node) []Node { a, _ := n.(And); return a.Nodes }, func(n []Node) Node { return And{n} })
		case kind == 4 && depth > 0:
			return flatten(rapid.SliceOfN(genNode(depth-1), 2, 4).Draw(t, "or"), func(n Node) []Node { o, _ := n.(Or); return o.Nodes }, func(n []Node) Node { return Or{n} })
		}
		term := genTerm().Draw(t, "term")
		term.Field = field
		return term
	})
}

func flatten(nodes []Node, inner func(Node) []Node, join func([]Node) Node) Node {
	var flat []Node
	for _, n := range nodes {
		if in := inner(n); in != nil {
			flat = append(flat, in...)
		} else {
			flat = append(flat, n)
		}
	}
	return join(flat)
}

func TestStringIsParsedBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := genNode(4).Draw(t, "node")
		got, err := Parse(want.String())
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Fatalf("%s: %v (-want +got):\n%s", want, err, diff)
		}
	})
}

// A long word is read in linear time.
func BenchmarkParseOfColons(b *testing.B) {
	query := strings.Repeat("1:", MaxLength/2)
	for b.Loop() {
		if _, err := Parse(query); err != nil {
			b.Fatal(err)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		`(顔認証 OR 顔識別) AND (遮蔽 OR マスク)`, `title:(a OR "b c*") NOT d*`, `*ONP30"(a OR \"b c\") d"`, `*N9999"`, `"`, `*N30"\"a\\" b"`, `（ａ　ＯＲ`, "a\xffb", `x:(y`, `a NEAR5 (b OR "c d")`, `"a b"~3`, `a XOR b`, `ipc:(G06V OR H04N)`, `colo?r *a b~2 c$`,
		`[顔/TX]*[口/TI]`, `顔,5n,口+目`, `a (3w) b/ti,ab -c d.clm. | !e`, `題名:顔`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, query string) {
		n, err := Parse(query)
		if bad, ok := errors.AsType[*SyntaxError](err); ok {
			if _, err := Parse(bad.Example); err != nil {
				t.Fatalf("Parse(%q): the example %q: %v", query, bad.Example, err)
			}
			if bad.Found == "" || bad.Expected == "" || bad.Position < 1 || bad.Offset > len(query) {
				t.Fatalf("Parse(%q) = %+v", query, bad)
			}
			return
		}
		again, err := Parse(n.String())
		if diff := cmp.Diff(n, again); err != nil || diff != "" {
			t.Fatalf("%q prints as %q: %v\n%s", query, n.String(), err, diff)
		}
	})
}

// A distance of many digits costs no copy of them for each digit.
func TestLongDistances(t *testing.T) {
	digits := strings.Repeat("1", MaxLength-100)
	for _, query := range []string{`"a b"~` + digits, `*N` + digits + `"a b"`, "a~" + digits} {
		if n := testing.AllocsPerRun(1, func() {
			if _, err := Parse(query); err == nil {
				t.Errorf("%.20q was parsed", query)
			}
		}); n > 1000 {
			t.Errorf("%.20q makes %v allocations", query, n)
		}
	}
}
