package charset

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/ianaindex"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/unicode/utf32"
)

// texts lists texts and the encodings that can write them.
var texts = []struct {
	text  string
	names []string
}{
	{"契約者は、書面により契約を解除できます。", []string{"shift_jis", "euc-jp", "utf-16le", "utf-16be"}},
	{"返金", []string{"shift_jis"}},
	{"| 区分 | 手数料 |\n|---|---|\n| 国内 | 1,200円 |\n", []string{"shift_jis", "euc-jp", "utf-16be"}},
	{"ｶﾀｶﾅ ﾃｽﾄ ﾃﾞｰﾀ", []string{"shift_jis"}},
	{"Press Ctrl+C (中止) to stop the server.\n", []string{"shift_jis", "euc-jp"}},
	{"Die Prüfung läuft über größere Schlüssel.", []string{"windows-1252", "utf-16le", "macintosh"}},
	{"The naïve café’s résumé – “done”.", []string{"windows-1252"}},
	{"El envío llegará mañana según la dirección.", []string{"windows-1252"}},
	{"Zażółć gęślą jaźń przed końcem września.", []string{"windows-1250", "iso-8859-2"}},
	{"Příliš žluťoučký kůň úpěl ďábelské ódy.", []string{"windows-1250", "iso-8859-2"}},
	{"Договор расторгается по письменному заявлению.", []string{"windows-1251", "koi8-r", "ibm866", "iso-8859-5"}},
	{"Η σύμβαση λήγει με γραπτή ειδοποίηση.", []string{"windows-1253", "iso-8859-7"}},
	{"用户可以在三十天内以书面形式解除合同。", []string{"gb18030", "utf-16le", "utf-32be"}},
	{"用户\n", []string{"hz-gb-2312"}},
	{"使用者可於三十日內以書面解除契約。", []string{"big5", "gb18030"}},
	{"계약자는 서면으로 계약을 해지할 수 있습니다.", []string{"euc-kr", "utf-16be"}},
	{"החוזה מסתיים בהודעה בכתב שלושים יום מראש.", []string{"windows-1255", "iso-8859-8"}},
	{"ينتهي العقد بإشعار خطي قبل ثلاثين يوما.", []string{"windows-1256", "iso-8859-6"}},
	{"สัญญาสิ้นสุดลงเมื่อมีการแจ้งเป็นลายลักษณ์อักษร", []string{"windows-874"}},
	{"Sutartis baigiasi raštišku pranešimu, kurį įteikia šalis.", []string{"windows-1257", "iso-8859-13"}},
	{"Sözleşme yazılı bildirimle sona erer, değişiklik yapılamaz.", []string{"windows-1254"}},
}

// encoder returns an encoding of golang.org/x/text by its name.
func encoder(t testing.TB, name string) encoding.Encoding {
	t.Helper()
	switch name {
	case "utf-32le":
		return utf32.UTF32(utf32.LittleEndian, utf32.IgnoreBOM)
	case "utf-32be":
		return utf32.UTF32(utf32.BigEndian, utf32.IgnoreBOM)
	case "hz-gb-2312":
		return simplifiedchinese.HZGB2312
	}
	e, err := htmlindex.Get(name)
	if err != nil {
		e, err = ianaindex.IANA.Encoding(name)
	}
	if err != nil || e == nil {
		t.Fatalf("%s: error %v", name, err)
	}
	return e
}

func encoded(t *testing.T, text, name string) []byte {
	t.Helper()
	raw, err := encoder(t, name).NewEncoder().Bytes([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

func TestDetectFindsTheEncodingOfASentence(t *testing.T) {
	for _, tt := range texts {
		for _, name := range tt.names {
			t.Run(name+" "+tt.text[:6], func(t *testing.T) {
				raw := encoded(t, tt.text, name)
				guess := Detect(raw)
				got, err := Decode(raw, guess.Name)
				if err != nil || string(got) != tt.text {
					t.Errorf("guessed %+v: read %q, error %v", guess, got, err)
				}
				if guess.Probability <= 0 || guess.Probability > 1 {
					t.Errorf("probability %g", guess.Probability)
				}
			})
		}
	}
}

func TestDetectTakesWhatTheTextSays(t *testing.T) {
	latin := "caf\xe9"
	tests := map[string]struct {
		src  string
		want Guess
	}{
		"empty":         {"", Guess{UTF8, 1}},
		"ascii":         {"plain", Guess{UTF8, 1}},
		"utf-8":         {"返金 café", Guess{UTF8, 1}},
		"mark of utf-8": {"\xEF\xBB\xBFx", Guess{UTF8, 1}},
		"mark le":       {"\xFF\xFEx\x00", Guess{"utf-16le", 1}},
		"mark be":       {"\xFE\xFF\x00x", Guess{"utf-16be", 1}},
		"mark of 32 le": {"\xFF\xFE\x00\x00x\x00\x00\x00", Guess{"utf-32le", 1}},
		"mark of 32 be": {"\x00\x00\xFE\xFF\x00\x00\x00x", Guess{"utf-32be", 1}},
		"tilde and {":   {"~{ x ~} and ~{}", Guess{UTF8, 1}},
		"escapes":       {"\x1b$B<u\x1b(B", Guess{"iso-2022-jp", 1}},
		"random":        {"\x81\x02\xff\x00\x91\xfe\x03\x04\x88", Guess{}},
		"nul":           {"MZ\x90\x00\x03\x00\x00\x00\x04\x00\x00\x00\xff\xff\x00\x00\xb8", Guess{}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if got := Detect([]byte(tt.src)); got != tt.want {
				t.Errorf("got %+v, want %+v", got, tt.want)
			}
		})
	}
	for _, said := range []string{
		`<?xml version="1.0" encoding="ISO-8859-2"?>`, "<meta charset=iso-8859-2>", "# -*- coding: latin2 -*-\n",
		`<meta http-equiv="Content-Type" content="text/html; charset=iso_8859-2">`, `@charset "iso-8859-2";`,
	} {
		if got := Detect([]byte(said + latin)).Name; got != "iso-8859-2" {
			t.Errorf("%s: got %s", said, got)
		}
	}
	if got := Detect(encoded(t, "<meta charset=utf-8>契約者は書面で解除できます。", "shift_jis")).Name; got != "shift_jis" {
		t.Errorf("a wrong declaration: got %s", got)
	}
}

// TestDetectIsSureOfKana reads a text in which half of the bytes look like ASCII.
func TestDetectIsSureOfKana(t *testing.T) {
	const text = "お問い合わせはサポートまで。電池の保証は六か月です。\n"
	for _, name := range []string{"utf-16le", "utf-16be", "utf-32le", "utf-32be"} {
		if got := Detect(encoded(t, text, name)); got.Name != name || got.Probability < .9 {
			t.Errorf("%s: got %+v", name, got)
		}
	}
}

// TestDetectIsNotSureOfWhatItDoesNotKnow reads text in a script for which only Unicode encodings are known.
func TestDetectIsNotSureOfWhatItDoesNotKnow(t *testing.T) {
	var armenian []byte // in ARMSCII-8, whose letters are pairs of a capital and a small letter from 0xb2 on
	for _, r := range "պայմանագիրը լուծվում է գրավոր ծանուցմամբ" {
		if r == ' ' {
			armenian = append(armenian, ' ')
		} else {
			armenian = append(armenian, byte(0xb3+2*(r-'ա')))
		}
	}
	for name, src := range map[string][]byte{
		"ARMSCII-8": armenian,
		"noise":     []byte("\xd8\x93\xe1\xfa\x81\xc0\xee\x9d\xa7\xf3\x8b\xd2\xb9\xcc\x90\xa3"),
	} {
		if guess := Detect(src); guess.Probability >= .5 {
			t.Errorf("%s is taken for %+v", name, guess)
		}
	}
}

// TestADeclaredEncodingIsUsed declares each encoding by each of its names in a text that does not reveal it.
func TestADeclaredEncodingIsUsed(t *testing.T) {
	for _, c := range charsets {
		if c.languages == "*" || c.name == "hz-gb-2312" || c.name == "iso-2022-jp" || string(c.decode([]byte("a"))) != "a" {
			continue // texts in these encodings identify themselves, or cannot be identified
		}
		for label := range strings.FieldsSeq(c.name + " " + c.labels) {
			raw := fmt.Appendf(nil, `<meta charset="%s"><p>A sign: %s`, label, "\xd1\xe1")
			if strings.ContainsRune(string(c.decode([]byte("\xd1\xe1"))), utf8.RuneError) {
				continue
			}
			got := Detect(raw)
			text, err := Decode(raw, got.Name)
			if err != nil || string(text) != string(c.decode(raw)) || got.Probability < 1 {
				t.Errorf("%s: got %+v", label, got)
			}
		}
	}
}

// TestLabelsAreThoseOfTheEncodingStandard compares labels with golang.org/x/text.
func TestLabelsAreThoseOfTheEncodingStandard(t *testing.T) {
	for _, c := range charsets {
		for label := range strings.FieldsSeq(c.name + " " + c.labels) {
			e, err := htmlindex.Get(label)
			if err != nil {
				continue // not in this standard
			}
			want, err := htmlindex.Name(e)
			if err != nil {
				t.Fatal(err)
			}
			if got := Name(want); got != c.name && want != "replacement" && c.name != UTF8 && want != "x-user-defined" {
				t.Errorf("%s: got %s, want %s, known as %s", label, c.name, want, got)
			}
		}
	}
	for _, e := range charmap.All {
		name, err := ianaindex.IANA.Name(e)
		if err != nil || e == charmap.XUserDefined {
			continue
		}
		if Name(name) == "" {
			t.Errorf("%s is not known", name)
		}
	}
}

func TestDetectASingleSign(t *testing.T) {
	raw := append(bytes.Repeat([]byte("Stand it upright.\n"), 10), "The room has 5 to 35 \xb0C.\n"...)
	if got := Detect(raw); got.Name != "windows-1252" || got.Probability < .5 {
		t.Errorf("got %+v", got)
	}
	spaced := bytes.Repeat([]byte("*\xa0A page\xa0of a manual.\n"), 20)
	if got := Detect(spaced); got.Name != "windows-1252" || got.Probability < .5 {
		t.Errorf("with spaces that do not break: got %+v", got)
	}
	raw = append(bytes.Repeat([]byte("Stand it upright.\n"), 10), encoded(t, "ﾃﾞｰﾀ ｴﾗｰ\n", "shift_jis")...)
	if got := Detect(raw); got.Name != "shift_jis" || got.Probability < .5 {
		t.Errorf("with kana of half width: got %+v", got)
	}
}

func TestDetectReadsPastTheBeginning(t *testing.T) {
	raw := append(bytes.Repeat([]byte("plain text of many lines\n"), 10_000), encoded(t, "返金の期限", "shift_jis")...)
	if got := Detect(raw).Name; got != "shift_jis" {
		t.Errorf("got %s", got)
	}
	damaged := append(bytes.Repeat([]byte("返金の期限は三十日です。\n"), 100), 0xff)
	if got := Detect(damaged).Name; got != UTF8 {
		t.Errorf("one damaged byte in UTF-8: got %s", got)
	}
}

func TestDecode(t *testing.T) {
	if _, err := Decode([]byte("x"), "klingon"); err == nil || !strings.Contains(err.Error(), `"klingon" is not known`) {
		t.Errorf("error %v", err)
	}
	got, err := Decode([]byte("\xFF\xFEx\x00"), "UTF-16")
	if err != nil || string(got) != "x" {
		t.Errorf("got %q, error %v", got, err)
	}
	if Name("Windows-31J") != "shift_jis" || Name("klingon") != "" {
		t.Errorf("names %q, %q", Name("Windows-31J"), Name("klingon"))
	}
}

func FuzzDetect(f *testing.F) {
	for _, tt := range texts {
		f.Add([]byte(tt.text))
	}
	f.Add([]byte("\x1b$B\x7f\x1b"))
	f.Add([]byte("<meta charset=utf-16le>\xff"))
	f.Fuzz(func(t *testing.T, src []byte) {
		guess := Detect(src)
		if utf8.Valid(src) && !bytes.ContainsAny(src, "\x00\x1b") && guess != (Guess{UTF8, 1}) {
			t.Fatalf("valid UTF-8 is taken for %+v", guess)
		}
		if guess.Name == "" {
			return
		}
		if guess.Probability <= 0 || guess.Probability > 1 {
			t.Fatalf("probability %g", guess.Probability)
		}
		text, err := Decode(src, guess.Name)
		if err != nil || !utf8.Valid(text) {
			t.Fatalf("%s: %q, error %v", guess.Name, text, err)
		}
	})
}

func BenchmarkDetect(b *testing.B) {
	raw, err := encoder(b, "shift_jis").NewEncoder().Bytes([]byte(strings.Repeat(texts[0].text+"\n", 1000)))
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		Detect(raw)
	}
}
