package text

import (
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
	"unsafe"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// show formats the tokens of src as "class:term", with = for an exact form and ~ for a bridge.
func show(src string) string {
	var z Tokenizer
	t := Normalize(src)
	return shown(z.Tokens(&t))
}

func shown(tokens iter.Seq[Token]) string {
	var out []string
	for tok := range tokens {
		out = append(out, fmt.Sprintf("%c:%s", " w=WUB~v"[tok.Class], strings.TrimLeft(tok.Term, ExactMark+BridgeMark)))
	}
	return strings.Join(out, " ")
}

func TestTokens(t *testing.T) {
	for _, tc := range []struct{ name, src, want string }{
		{"empty", "", ""},
		{"separators", " -_- 。（）…→ ", ""},
		{"stems", "The running policies", "w:the w:run =:running w:polici =:policies"},
		{"negations", "do not, no, without", "w:do w:not w:no w:without"},
		{"contractions", "don't user's 'quoted'", "w:don't w:user =:user's w:quot =:quoted"},
		{"codes", "E1234 3.5 v1.2.3 192.168.0.1 ISO9001", "w:e1234 w:3.5 w:v1.2.3 w:1.2.3 w:192.168.0.1 w:iso9001"},
		{"qualified version", "v1.2.v3.4", "w:v1.2 W:v1.2v3.4 w:1.2 w:v3.4 w:3.4"},
		{"version behind a word", "Python3.11 h2.0 usb3.0ghz", "w:python3 W:python311 w:python w:3.11 w:11 w:h2 W:h20 w:0 w:usb3 W:usb30ghz w:0 W:0ghz w:ghz"},
		{"number behind a word", "RAID 1 in 30 ms, port 8 of", "w:raid v:raid1 w:1 w:in w:30 v:30ms w:ms w:port v:port8 w:8 w:of"},
		{"number behind the last word of an identifier", "user-guide 2", "w:user W:userguid =:userguide w:guid =:guide v:guide2 w:2"},
		{"no name", "take 3.5 or 20260 of 3 a-b", "w:take w:3.5 w:or w:20260 w:of w:3 w:a W:ab w:b"},
		{"okurigana", "引っ越し・取付け", "U:引 B:引っ v:引越 U:っ B:っ越 U:越 B:越し U:し ~:し取 U:取 B:取付 U:付 B:付け U:け"},
		{"number before word", "3.Next 4. x", "w:3 w:next v:next4 w:4 w:x"},
		{"units", "100MB 2.5 GB", "w:100 W:100mb w:mb w:2.5 w:gb"},
		{"letters with marks", "C++ Ｃ＃と c++20, F#. i++) c++-like", "w:c++ w:c# U:と w:c++ w:20 w:f# w:i++ w:c++ W:c++like w:like"},
		{"no letters with marks", "a#b x+y c+ go# count++ 1++ 1# д# #c", "w:a w:b w:x w:y w:c w:go w:count w:1 w:1 w:д w:c"},
		{"camel", "fooBar HTTPServer userIDs", "w:foo W:foobar w:bar w:http W:httpserver w:server w:user W:userid =:userids w:id =:ids"},
		{"acronym plural", "URLs", "w:url =:urls"},
		{"snake", "foo_bar __init__", "w:foo W:foobar w:bar w:init"},
		{"long name", "MAP_STATUS_FROM_WARNING_COUNT", "w:map W:mapstatusfromwarningcount w:status w:from w:warn =:warning w:count"},
		{"kebab", "foo-bar - baz", "w:foo W:foobar w:bar w:baz"},
		{"camel and kebab", "x-fooBar 100mmHeat-Sink", "w:x W:xfoobar w:foo W:foobar w:bar w:100 W:100mmheat W:100mmheatsink w:mm W:mmheat w:heat w:sink"},
		{"qualified", "a.getUser std::map config.json", "w:a W:agetus =:agetuser w:get W:getus =:getuser w:user w:std W:stdmap w:map w:config W:configjson w:json"},
		{"date", "2026-11-21", "w:2026 W:20261121 w:11 w:21"},
		{"accents", "Café naïve Ελλάδα", "w:cafe w:naiv =:naive w:ελλάδα"},
		{"japanese", "保険料", "U:保 B:保険 U:険 B:険料 U:料"},
		{"one character", "円", "U:円"},
		{"bridges across separators", "甲・乙 丙", "U:甲 ~:甲乙 U:乙 ~:乙丙 U:丙"},
		{"no bridge across words or symbols", "甲 a 乙+丙。", "U:甲 w:a U:乙 U:丙"},
		{"number in japanese", "第三条の額", "U:第 w:3 U:条 B:条の U:の B:の額 U:額"},
		{"mixed", "APIサーバー", "w:api U:サ B:サー U:ー B:ーバ U:バ"},
		{"marks", "か\u309Aき", "U:か\u309A B:か\u309Aき U:き"},
		{"hangul", "한국", "U:한 B:한국 U:국"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, show(tc.src)); diff != "" {
				t.Errorf("tokens of %q (-want +got):\n%s", tc.src, diff)
			}
		})
	}
}

func TestTokensOfNormAlone(t *testing.T) {
	var z Tokenizer
	bare := Text{Norm: "foobar 仕様"}
	var got []Token
	for tok := range z.Tokens(&bare) {
		got = append(got, tok)
	}
	want := []Token{{"foobar", Word, 0, 6}, {"仕", Unigram, 7, 10}, {"仕様", Bigram, 7, 13}, {"様", Unigram, 10, 13}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if a, b := bare.Source(7, 13); a != 7 || b != 13 {
		t.Errorf("source of a bare text is [%d, %d)", a, b)
	}
}

func TestTokensStop(t *testing.T) {
	var z Tokenizer
	n := Normalize("fooBar 保険料 running")
	all := show("fooBar 保険料 running")
	for limit := 1; limit <= len(strings.Fields(all)); limit++ {
		count := 0
		for range z.Tokens(&n) {
			if count++; count == limit {
				break
			}
		}
		if count != limit {
			t.Errorf("stopped after %d tokens, not %d", count, limit)
		}
	}
}

// A text may be in memory that is unmapped while a tokenizer continues to exist.
func TestTokenizersKeepNoText(t *testing.T) {
	var z Tokenizer
	src := strings.Clone("running on a user-guide 2, 引っ越し・甲 don't")
	for range z.Tokens(&Text{Norm: src}) {
	}
	start := uintptr(unsafe.Pointer(unsafe.StringData(src)))
	check := func(kept ...string) {
		for _, s := range kept {
			if at := uintptr(unsafe.Pointer(unsafe.StringData(s))); at >= start && at < start+uintptr(len(src)) {
				t.Errorf("%q is a part of the text", s)
			}
		}
	}
	for word, x := range z.terms {
		check(word, x.stem, x.exact)
	}
	check(slices.Collect(maps.Values(z.bridges))...)
	check(slices.Collect(maps.Values(z.kanji))...)
}

func TestTokensOfTextsAtOnce(t *testing.T) {
	const src, other = "user-guide.name 2, running", "x_y don't"
	outer, inner := Normalize(src), Normalize(other)
	want, wanted := show(src), show(other)
	got := shown(func(yield func(Token) bool) {
		for tok := range Tokens(&outer) {
			if got := shown(Tokens(&inner)); got != wanted {
				t.Errorf("%s, not %s", got, wanted)
			}
			if !yield(tok) {
				return
			}
		}
	})
	if got != want {
		t.Errorf("%s, not %s", got, want)
	}
}

func TestLongWord(t *testing.T) {
	var z Tokenizer
	n := Normalize(strings.Repeat("é9", 5000) + "-b")
	count := 0
	for tok := range z.Tokens(&n) {
		count++
		if len(tok.Term) > maxTerm || !utf8.ValidString(tok.Term) {
			t.Errorf("term of %d bytes: %q", len(tok.Term), tok.Term)
		}
	}
	if count != 2 {
		t.Errorf("%d tokens, want the clipped word and b", count)
	}
}

func TestCachesAreBounded(t *testing.T) {
	var z Tokenizer
	for i := range maxCached + 10 {
		z.joinedTerm(fmt.Appendf(nil, "w%d", i))
		z.bridges.term('甲', rune(i), BridgeTerm)
	}
	if len(z.terms) > maxCached || len(z.bridges) > maxCached {
		t.Errorf("%d cached terms, %d of pairs", len(z.terms), len(z.bridges))
	}
}

func checkTokens(t failer, src string) {
	t.Helper()
	var z Tokenizer
	n := Normalize(src)
	last := 0
	for tok := range z.Tokens(&n) {
		if tok.Start < last || tok.End <= tok.Start || tok.End > len(n.Norm) || tok.Term == "" || !utf8.ValidString(tok.Term) {
			t.Fatalf("%q: token %+v after %d", src, tok, last)
		}
		if cjk := tok.Class == Unigram || tok.Class == Bigram; cjk && tok.Term != n.Norm[tok.Start:tok.End] {
			t.Fatalf("%q: token %+v is not its text", src, tok)
		}
		if a, b := n.Source(tok.Start, tok.End); a >= b || !utf8.ValidString(n.Norm[tok.Start:tok.End]) {
			t.Fatalf("%q: token %+v has source [%d, %d)", src, tok, a, b)
		}
		last = tok.Start
	}
	end := 0
	for run := range Runs(&n) {
		if run.Start < end || run.End <= run.Start || run.Class == 0 {
			t.Fatalf("%q: run %+v after %d", src, run, end)
		}
		end = run.End
	}
}

func TestTokenLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { checkTokens(t, anyText().Draw(t, "src")) })
}

func FuzzTokens(f *testing.F) {
	for _, s := range []string{"fooBar-baz_qux::x.y", "第3条APIサーバー", "v1.2.3 100mb", "か\u309A", "user's", "a.1.b", "'s"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, src string) { checkTokens(t, src) })
}

func TestRuns(t *testing.T) {
	n := Normalize("APIサーバーのエラー時はfoo-bar 3.5、第12条 らーめん佐々木 한국 É9")
	var got []string
	for run := range Runs(&n) {
		got = append(got, fmt.Sprintf("%c%s", " hkKgLD"[run.Class], n.Norm[run.Start:run.End]))
	}
	want := []string{
		"Lapi", "Kサーバ", "kの", "Kエラー", "h時", "kは", "Lfoo-bar", "D3.5", "h第", "D12", "h条",
		"kらーめん", "h佐々木", "g한국", "Le9",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	for run := range Runs(&n) {
		if run.Class != Latin {
			t.Errorf("first run is %+v", run)
		}
		break
	}
}

func TestIsCJK(t *testing.T) {
	for _, r := range "漢々〆〇ひゝカヶー한㐀𠮷" {
		if !IsCJK(r) {
			t.Errorf("%c is not CJK", r)
		}
	}
	for _, r := range "a9é・、。（ω " {
		if IsCJK(r) {
			t.Errorf("%c is CJK", r)
		}
	}
}

func TestEnglishStop(t *testing.T) {
	for _, w := range strings.Fields("the is what how does of") {
		if !EnglishStop(w) {
			t.Errorf("%q is content", w)
		}
	}
	for _, w := range strings.Fields("not no nor never none without except unless only excluding before after all don't can't policy") {
		if EnglishStop(w) {
			t.Errorf("%q is a stop word", w)
		}
	}
}
