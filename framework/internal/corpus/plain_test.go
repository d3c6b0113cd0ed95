package corpus

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// shapes returns sections as "start-own end level path".
func shapes(name, text string) []string {
	out := []string{}
	for s := range Sections(name, []byte(text)) {
		out = append(out, strings.Join([]string{
			itoa(s.Start), "-", itoa(s.OwnEnd), " ", itoa(s.Level), " ", s.HeadingPath,
		}, ""))
	}
	return out
}

func itoa(n int) string { return string(rune('0'+n/10)) + string(rune('0'+n%10)) }

func TestTitlesOfPlainText(t *testing.T) {
	tests := map[string]struct {
		name, text string
		want       []string
	}{
		"levels in order of their lines": {
			"a.rst", "=====\nGuide\n=====\n\nIntro.\n\nSetup\n-----\nRun it.\n\nLinux\n~~~~~\nx\n\nUse\n---\ny\n",
			[]string{"01-06 01 Guide", "07-10 02 Guide > Setup", "11-14 03 Guide > Setup > Linux", "15-17 02 Guide > Use"},
		},
		"wide characters": {
			"a.txt", "第1条 目的\n----------\n本文\n", []string{"01-03 01 第1条 目的"},
		},
		"text before the first title": {
			"notes.txt", "Hello\n\nUsage\n=====\nx\n", []string{"01-02 00 Usage > notes", "03-05 01 Usage"},
		},
		"a line too short, an indented title, a rule, a table": {
			"a.rst", "A long line of text\n---\n\n  Quoted\n  ------\n\n-----\n\n=====  =====\nA      B\n=====  =====\n",
			[]string{"01-11 00 a"},
		},
		"an indented title between two lines": {
			"a.rst", "*********\n  Title\n*********\nx\n", []string{"01-04 01 Title"},
		},
		"asciidoc": {
			"a.adoc", "= Guide\nAuthor\n\n== Setup\n----\n== code\n----\n=== Linux\n....\n= no\n....\n",
			[]string{"01-03 01 Guide", "04-07 02 Guide > Setup", "08-11 03 Guide > Setup > Linux"},
		},
		"asciidoc of two lines": {
			"a.asciidoc", "git(1)\n======\n\nNAME\n----\ngit - it\n\n[verse]\n____\nx\n____\n",
			[]string{"01-03 01 git(1)", "04-11 02 git(1) > NAME"},
		},
		"numbers above an indented text": {
			"rfc.txt", "Title\n\n1.  Scope\n\n   Text.\n\n1.1.  Terms\n\n   Text of\n   2. lines\n\nA.1 More\n\n   x\n\n2.  Use\n   x\n",
			[]string{"01-02 00 1. Scope > rfc", "03-06 01 1. Scope", "07-11 02 1. Scope > 1.1. Terms", "12-17 02 1. Scope > A.1 More"},
		},
		"chapters": {
			"a.txt", "第1章 目的\n\n  本文\n\n1.1. 範囲\n\n  本文\n\nAppendix A.\u00a0More\n\n  text\n",
			[]string{"01-04 01 第1章 目的", "05-08 02 第1章 目的 > 1.1. 範囲", "09-11 01 Appendix A. More"},
		},
		"items of a list": {"a.txt", "1. Wash it.\n\n2. Dry it.\n\nThen wait.\n\n  Long.\n", []string{"01-07 00 a"}},
		"no title":        {"log.txt", strings.Repeat("x\n", 50), []string{"01-40 00 log", "41-50 00 log"}},
		"records":         {"a.jsonl", strings.Repeat("{\"a\": \"\\u8fd4\\u91d1\"}\n", 41), []string{"01-40 00 a", "41-41 00 a"}},
		"rows":            {"a.csv", "k,v\n-----\n" + strings.Repeat("a,b\n", 39), []string{"01-40 00 a", "41-41 00 a"}},
		"empty":           {"a.txt", "", []string{"01-01 00 a"}},
		"line ends":       {"a.txt", "A\r\n===\r\nx\r\n", []string{"01-03 01 A"}},
		"other kind":      {"a.markdown", "# A\n\nB\n---\n", []string{"01-02 01 A", "03-04 02 A > B"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, shapes(tt.name, tt.text)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestSectionsOfPlainTextCoverEachLineOnce(t *testing.T) {
	line := rapid.SampledFrom([]string{"", "Title", "表題", "=====", "-----", "text of a line", "== A", "----", "  x", "....", "~~"})
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(line, 0, 60).Draw(t, "lines"), "\n")
		name := rapid.SampledFrom([]string{"a.txt", "a.rst", "a.adoc", "a.csv"}).Draw(t, "name")
		sections := slices.Collect(Sections(name, []byte(text)))
		next := sections[0].Start
		if above := between([]byte(text), NewLines([]byte(text)), 1, next-1); strings.TrimSpace(above) != "" {
			t.Fatalf("%q stands before the first section", above)
		}
		for _, s := range sections {
			if s.Start != next || s.OwnEnd < s.Start || s.Body > s.OwnEnd+1 || s.End < s.OwnEnd {
				t.Fatalf("line %d is next, section %+v", next, s.Section)
			}
			next = s.OwnEnd + 1
		}
		if total := NewLines([]byte(text)).Count(); next != total+1 {
			t.Fatalf("the sections end before line %d of %d", next, total)
		}
	})
}

func TestDecoded(t *testing.T) {
	tests := map[string]struct{ src, text, encoding, reason string }{
		"utf-8":        {"返金", "返金", "", ""},
		"shift_jis":    {"\x95\xd4\x8b\xe0\x82\xcc\x8a\xfa\x8c\xc0\x82\xcd\x8eO\x8f\\\x93\xfa\x82\xc5\x82\xb7\x81B", "返金の期限は三十日です。", "shift_jis, probability 0.99", ""},
		"utf-16":       {"\xff\xfe#\x00 \x00A\x00", "# A", "utf-16le", ""},
		"iso-2022-jp":  {"# \x1b$BJV6b\x1b(B", "# 返金", "iso-2022-jp", ""},
		"colours":      {"\x1b[1mbold\x1b[0m", "\x1b[1mbold\x1b[0m", "", ""},
		"binary":       {"\x00\x01\x02\x03\xff\xfe\x80\x00", "", "", "it holds NUL bytes"},
		"nul in utf-8": {"a\x00b", "", "", "it holds NUL bytes"},
		"few strays": {strings.Repeat("A refund takes days.\n", 20) + "\xfe\x8d", strings.Repeat("A refund takes days.\n", 20) + "\uFFFD",
			"UTF-8 but for 2 bytes", ""},
		"few strays in Japanese": {strings.Repeat("返金の期限は三十日です。\n", 20) + "\xff\xfe",
			strings.Repeat("返金の期限は三十日です。\n", 20) + "\uFFFD", "UTF-8 but for 2 bytes", ""},
		"noise": {"\xff\x01\x02\x03\x81\x04\x05", "", "", "it is no text, or its encoding is not known"},
		"two encodings": {strings.Repeat("返金の期限は三十日です。\n", 20) + strings.Repeat(
			"\x95\xd4\x8b\xe0\x82\xcc\x8a\xfa\x8c\xc0\x82\xcd\x8eO\x8f\\\x93\xfa\x82\xc5\x82\xb7\x81B\n", 20),
			"", "", "it is no text, or its encoding is not known"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			text, encoding, reason := Decoded([]byte(tt.src))
			if string(text) != tt.text || encoding != tt.encoding || reason != tt.reason {
				t.Errorf("got %q, %q, %q", text, encoding, reason)
			}
		})
	}
}
