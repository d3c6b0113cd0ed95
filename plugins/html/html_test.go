package html

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/unicode"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/sdktest"
)

func convert(src []byte) (*sdk.Converted, error) {
	return New().Convert(context.Background(), sdk.Document{Content: bytes.NewReader(src), Size: int64(len(src))})
}

func TestConvert(t *testing.T) {
	out, err := convert([]byte("<title>T</title><p>a<h2 id=b>B</h2><p>c"))
	want := &sdk.Converted{Title: "T", Blocks: []sdk.Block{
		{Text: "a"}, {Level: 2, Heading: "B", Text: "c", Place: sdk.Place{Anchor: "b"}},
	}}
	if diff := cmp.Diff(want, out); err != nil || diff != "" {
		t.Error(err, diff)
	}
}

// A page has the same text in every encoding, whether it declares the encoding or not.
func TestEncodings(t *testing.T) {
	const japanesePage = "<h1>保証書</h1><p>保証期間はお買い上げの日から一年です。電源を切ってからディスクを交換します。</p>"
	const germanPage = "<h1>Gewähr</h1><p>Die Gewährleistung beträgt ein Jahr. Für Schäden haften wir nicht.</p>"
	for _, c := range []struct {
		name     string
		page     string
		encoding encoding.Encoding
		declared bool
		told     string // prefix of the reported encoding
	}{
		{"utf-8", japanesePage, encoding.Nop, false, ""}, {"utf-8", japanesePage, encoding.Nop, true, ""},
		{"shift_jis", japanesePage, japanese.ShiftJIS, false, "shift_jis"}, {"Shift_JIS", japanesePage, japanese.ShiftJIS, true, "shift_jis"},
		{"euc-jp", japanesePage, japanese.EUCJP, false, "euc-jp"}, {"euc-jp", japanesePage, japanese.EUCJP, true, "euc-jp"},
		{"iso-2022-jp", japanesePage, japanese.ISO2022JP, false, "iso-2022-jp"}, {"iso-2022-jp", japanesePage, japanese.ISO2022JP, true, "iso-2022-jp"},
		{"utf-16", japanesePage, unicode.UTF16(unicode.LittleEndian, unicode.UseBOM), true, "utf-16le"},
		{"utf-16be", japanesePage, unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM), false, "utf-16be"},
		{"windows-1252", germanPage, charmap.Windows1252, false, "windows-1252"}, {"iso-8859-1", germanPage, charmap.Windows1252, true, "windows-1252"},
		{"iso-8859-2", germanPage, charmap.ISO8859_2, true, "iso-8859-2"},
	} {
		page := c.page
		if c.declared {
			page = "<meta charset=" + c.name + ">" + page
		}
		src, err := c.encoding.NewEncoder().Bytes([]byte(page))
		if err != nil {
			t.Fatal(err)
		}
		want, _ := convert([]byte(c.page))
		got, err := convert(src)
		if got == nil || !strings.HasPrefix(got.Encoding, c.told) || (got.Encoding == "") != (c.told == "") {
			t.Errorf("%s, declared %v: %v, %+v", c.name, c.declared, err, got)
			continue
		}
		got.Encoding = ""
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("%s, declared %v: %v %s", c.name, c.declared, err, diff)
		}
	}
}

func TestHostilePages(t *testing.T) {
	for _, c := range []struct {
		name    string
		src     string
		error   string // part of the error; "" if there is a text
		text    string
		problem string
	}{
		{"0 bytes", "", "", "", "no text"},
		{"a zip archive", "PK\x03\x04\x14", "is a zip file", "", ""},
		{"a PDF", "%PDF-1.4", "is a PDF", "", ""},
		{"a program", "\x7fELF\x02", "is a program", "", ""},
		{"plain text", "just words", "", "just words", ""},
		{"scripts alone", "<script>render()</script>", "", "", "no text"},
		{"frames", "<frameset><frame src=a.html></frameset>", "", "", "no text"},
		{"an encoding that nobody knows", "<meta charset=x-klingon><p>\xf8\xd0", `"x-klingon" is not known`, "", ""},
		{"a lie about the encoding", "<meta charset=utf-16><p>a", "", "a", ""},
		{"too much text", "<p>a<!--" + strings.Repeat("-", maxSize), "", "a", "the page is too large, its end was not read"},
		{"too many elements", strings.Repeat("<p>", 2<<20), "", "", "the page is too large, its end was not read"},
	} {
		t.Run(c.name, func(t *testing.T) {
			out, err := convert([]byte(c.src))
			if c.error != "" {
				if err == nil || !strings.Contains(err.Error(), c.error) {
					t.Errorf("got %v, want an error that says %q", err, c.error)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if c.text != "" && (len(out.Blocks) != 1 || out.Blocks[0].Text != c.text) {
				t.Errorf("got %+v, want %q", out.Blocks, c.text)
			}
			if (c.problem != "") != (len(out.Problems) == 1) || c.problem != "" && out.Problems[0].Reason != c.problem {
				t.Errorf("the problems are %v, want %q", out.Problems, c.problem)
			}
		})
	}
}

func TestConformance(t *testing.T) { sdktest.RunConverter(t, New, "testdata/page.html") }
