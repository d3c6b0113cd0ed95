package text

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestFoldForms(t *testing.T) {
	for _, tc := range []struct{ name, src, want string }{
		{"empty", "", ""},
		{"only space", " \t\r\n\u3000\u00A0", ""},
		{"case", "Hello WORLD Straße ΣΊΣΥΦΟΣ", "hello world strasse σίσυφοσ"},
		{"width", "ＡＢＣ１２３（ａ）！", "abc123(a)!"},
		{"spaces", "  a \t\r\n b\u3000c\u00A0 d  ", "a b c d"},
		{"hyphens", "a‐b‑c–d—e―f−g－h─i", "a-b-c-d-e-f-g-h-i"},
		{"dots", "a·b・c･d•e∙f", "a・b・c・d・e・f"},
		{"brackets", "[a]{b}「c」『d』【e】〔f〕〈g〉《h》（i）｢j｣⟨k⟩", "(a)(b)(c)(d)(e)(f)(g)(h)(i)(j)(k)"},
		{"slashes", `a/b\c／d⁄e∕f＼g½`, "a/b/c/d/e/f/g1/2"},
		{"tildes", "a~b〜c～d∼e〰f", "a~b~c~d~e~f"},
		{"quotes", "'a' \"b\" “c” ‘d’ «e» `f` ´g ＂h 〝i〟", "'a' 'b' 'c' 'd' 'e' 'f' 'g 'h 'i'"},
		{"apostrophe", "don’t", "don't"},
		{"invisible", "a\u200Bb\u00ADc\uFEFFd\x00e\u200Df\uFE0F", "abcdef"},
		{"invalid", "a\xFFb\xE3\x81", "a\uFFFDb\uFFFD\uFFFD"},
		{"digits", "٣४௫৬᠗０", "345670"},
		{"enclosed", "①⑫㈱㎏㍻", "112(株)kg平成"},
		{"ligature", "ﬁle Å ℃", "file a °c"},
		{"half-width katakana", "ｻｰﾊﾞｰ ﾊﾟｿｺﾝ ｶﾞｷﾞ", "サーバ パソコン ガギ"},
		{"voiced marks", "カ\u3099か゛ハ゜ハﾟ", "ガがパパ"},
		{"long vowels", "サーバー ユーザー コピー エラー メモリーー アイー ラーメンー屋 らーめんー", "サーバ ユーザ コピー エラー メモリ アイー ラーメン屋 らーめんー"},
		{"long vowel before latin", "サーバーID", "サーバid"},
		{"va", "ヴァイオリン ヴィーナス ヴェール ヴォーカル ヴ レヴュー", "バイオリン ビーナス ベール ボーカル ブ レビュ"},
		{"vowels", "ウェブ ウィルス クォーツ フィルム カフェ ギヤ タイヤ ファン ティー キヤノン ィ ヤ", "ウエブ ウイルス クオーツ フイルム カフエ ギア タイア ファン ティー キヤノン ィ ヤ"},
		{"counters", "二台 五個 一個 三十枚 第二者 四季 一本化 ニ台", "2台 5個 一個 30枚 第二者 四季 一本化 ニ台"},
		{"va counts as one", "ヴァイー バイー ヴァイオー", "バイー バイー バイオ"},
		{"ji zu", "ヂヅ", "ジズ"},
		{"diacritics", "e\u0301 q\u0304 Café ǗßÑ ṩ", "e q cafe ussn s"},
		{"marks that stay", "й ά が ø 한", "й ά が ø 한"},
		{"hangul", "\u1112\u1161\u11ab국", "한국"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := Fold(tc.src); got != tc.want {
				t.Errorf("Fold(%q)\n got %q\nwant %q", tc.src, got, tc.want)
			}
			if got := Normalize(tc.src).Norm; got != tc.want {
				t.Errorf("Normalize(%q)\n got %q\nwant %q", tc.src, got, tc.want)
			}
		})
	}
}

func TestFoldNumbers(t *testing.T) {
	for src, want := range map[string]string{
		"第三条":            "第3条",
		"第Ⅲ条":            "第3条",
		"第３条":            "第3条",
		"第③条":            "第3条",
		"第III条、第Ｘ条、第ⅩⅠ章": "第3条、第x条、第11章",
		"第三条の二第一項":       "第3条の2第1項",
		"第二百五十四条":        "第254条",
		"第一〇二条":          "第102条",
		"第十条":            "第10条",
		"別表第一及び別表二、様式第三号": "別表第1及び別表2、様式第3号",
		"二〇二六年一月三十一日":     "2026年1月31日",
		"令和元年五月三日":        "令和元年5月3日",
		"三十五歳と三百人、千二百円":   "35歳と300人、1200円",
		"1,000円":                "1000円",
		"１，２３４，５６７":             "1234567",
		"1,00 と 1,0000 と ,100":  "1,00 と 1,0000 と ,100",
		"5万円と5万と1億2,000万円":      "50000円と50000と120000000円",
		"12百万円":                 "12000000円",
		"三ヶ月 3ヵ月 3カ月 三箇月 数か月":   "3か月 3か月 3か月 3か月 数か月",
		"3ヶ所 箇所 三箇年":            "3か所 箇所 3か年",
		"五%と三十分と十分間":            "5%と30分と10分間",
		"3.5万円":                 "3.5万円",
		"一般 三角 一部 十分 万一 一人 百科":  "一般 三角 一部 十分 万一 一人 百科",
		"同一条件 統一年度 唯一 均一 前項の一部": "同一条件 統一年度 唯一 均一 前項の一部",
		"数十年 何百人 万円 〇〇円":        "数十年 何百人 万円 〇〇円",
		"三分の一 二分する 一分野 五分以内":    "三分の一 二分する 一分野 5分以内",
		"別表一覧 第一人者 第三者 第二次":     "別表一覧 第一人者 第三者 第二次",
		"1,000一万と1000一万":        "1000一万と1000一万",
		"2万5,520人目と1万4,883種":    "25520人目と1万4883種",
		"二、三日":                  "二、3日",
	} {
		if got := Fold(src); got != want {
			t.Errorf("Fold(%q)\n got %q\nwant %q", src, got, want)
		}
		checkLaws(t, src)
	}
}

// TestEveryCharacter checks the laws for each character, alone and between others.
func TestEveryCharacter(t *testing.T) {
	if testing.Short() {
		t.Skip("nothing runs at once")
	}
	for r := rune(0); r <= utf8.MaxRune; r++ {
		if r >= 0xD800 && r < 0xE000 || r >= 0xE0200 && r%4096 > 4 || r >= 0x20000 && r < 0xE0000 && r%64 > 1 {
			continue
		}
		c := string(r)
		for _, s := range [...]string{c, "a" + c + "a", "カ " + c + "\u0301" + c} {
			once := Fold(s)
			if !utf8.ValidString(once) {
				t.Fatalf("%U: %q is not valid", r, once)
			}
			if twice := Fold(once); twice != once {
				t.Fatalf("%U: %q folds to %q, then to %q", r, s, once, twice)
			}
			if strings.Contains(once, "  ") || strings.TrimSpace(once) != once {
				t.Fatalf("%U: stray space in %q", r, once)
			}
		}
	}
}

type failer interface {
	Helper()
	Fatalf(string, ...any)
}

// checkLaws checks what Normalize and Source promise for a source.
func checkLaws(t failer, src string) {
	t.Helper()
	n := Normalize(src)
	if !utf8.ValidString(n.Norm) {
		t.Fatalf("%q: form %q is not valid UTF-8", src, n.Norm)
	}
	if f := Fold(src); f != n.Norm {
		t.Fatalf("%q: Fold gives %q, Normalize %q", src, f, n.Norm)
	}
	if again := Fold(n.Norm); again != n.Norm {
		t.Fatalf("%q: form %q folds to %q", src, n.Norm, again)
	}
	ends := boundaries(&n)
	last := 0
	for i, start := range ends[:len(ends)-1] {
		a, b := n.Source(start, ends[i+1])
		if a < last || b <= a || b > len(src) {
			t.Fatalf("%q: unit [%d, %d) of %q is source [%d, %d) after %d", src, start, ends[i+1], n.Norm, a, b, last)
		}
		last = b
	}
}

// boundaries returns the starts of the units of n, and the end.
func boundaries(n *Text) []int {
	var at []int
	for i := range n.Norm {
		if k := n.offsets.at(i); !n.offsets.spans[k].fused || n.offsets.spans[k].out == i {
			at = append(at, i)
		}
	}
	return append(at, len(n.Norm))
}

// checkSubstitution replaces the source of a range of units by its form.
func checkSubstitution(t failer, src string, from, to int) {
	t.Helper()
	n := Normalize(src)
	ends := boundaries(&n)
	i, j := ends[from%len(ends)], ends[to%len(ends)]
	i, j = min(i, j), max(i, j)
	a, b := n.Source(i, j)
	if got := Fold(src[:a] + n.Norm[i:j] + src[b:]); i < j && got != n.Norm {
		t.Fatalf("%q: with %q for source [%d, %d) the form is %q, not %q", src, n.Norm[i:j], a, b, got, n.Norm)
	}
	if i < j && extends(src[b:]) > 0 {
		t.Fatalf("%q: source [%d, %d) of %q cuts a combining sequence", src, a, b, n.Norm[i:j])
	}
}

// pieces are texts that the rules handle, so that random texts contain them.
var pieces = []string{
	"a", "B", "fooBar", "1", "12", "000", ",", ".", " ", "\n", "  ", "-", "―", "第", "条", "の", "別表", "Ⅲ", "x", "iv",
	"一", "二", "十", "百", "千", "万", "億", "〇", "円", "年", "月", "ヶ", "箇", "カ", "人", "分", "数", "同",
	"ー", "ヴ", "ァ", "サ", "バ", "ｰ", "ｳﾞ", "ﾞ", "゛", "\u3099", "\u0301", "\u0323", "\u200B", "\u200D", "\u00AD",
	"㋀", "㌢", "①", "㎏", "㍿", "，", "１", "「", "」", "¨", "´", "e", "é", "ß", "ﷺ", "한", "\u1161", "\u11a8", "\xFF", "\xE3\x81", "👩", "\u0345", "α",
}

func anyText() *rapid.Generator[string] {
	mixed := rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 24).Draw(t, "pieces"), "")
	})
	bytes := rapid.Custom(func(t *rapid.T) string { return string(rapid.SliceOf(rapid.Byte()).Draw(t, "bytes")) })
	return rapid.OneOf(mixed, mixed, rapid.String(), bytes)
}

func TestNormalizeLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		src := anyText().Draw(t, "src")
		checkLaws(t, src)
		checkSubstitution(t, src, rapid.IntRange(0, 99).Draw(t, "from"), rapid.IntRange(0, 99).Draw(t, "to"))
	})
}

func FuzzNormalize(f *testing.F) {
	for _, s := range []string{"第三条の二", "サーバー", "1,000万円", "e\u0301", "ヴァイー", "", "1,00㋀", "a ¨b"} {
		f.Add(s, 0, 3)
	}
	f.Fuzz(func(t *testing.T, src string, from, to int) {
		checkLaws(t, src)
		checkSubstitution(t, src, from&0xFFFF, to&0xFFFF)
	})
}
