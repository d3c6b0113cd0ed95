package corpus_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// outline returns sections as "level title start-ownEnd/end body ^parent".
func outline(sections []corpus.Section) []string {
	rows := []string{}
	for _, s := range sections {
		parent := "-"
		if s.Parent != snapshot.None {
			parent = fmt.Sprint(s.Parent)
		}
		rows = append(rows, fmt.Sprintf("%d %s %d-%d/%d b%d ^%s", s.Level, s.Title, s.Start, s.OwnEnd, s.End, s.Body, parent))
	}
	return rows
}

func TestCutOutline(t *testing.T) {
	tests := []struct {
		name, src string
		want      []string
	}{
		{"empty", "", []string{"0 file 1-1/1 b1 ^-"}},
		{"one byte", "x", []string{"0 file 1-1/1 b1 ^-"}},
		{"no heading", "a\nb\n", []string{"0 file 1-2/2 b1 ^-"}},
		{"blank only", "\n\n\n", []string{"0 file 1-3/3 b1 ^-"}},
		{"nested", "# A\na\n## B\nb\n### C\n## D\nd\n# E", []string{
			"1 A 1-2/7 b2 ^-", "2 B 3-4/5 b4 ^0", "3 C 5-5/5 b6 ^1", "2 D 6-7/7 b7 ^0", "1 E 8-8/8 b9 ^-"}},
		{"skipped levels", "### A\n# B\n#### C\n## D\n", []string{
			"3 A 1-1/1 b2 ^-", "1 B 2-2/4 b3 ^-", "4 C 3-3/3 b4 ^1", "2 D 4-4/4 b5 ^1"}},
		{"preamble", "hello\n\n# A\n", []string{"0 file 1-2/2 b1 ^-", "1 A 3-3/3 b4 ^-"}},
		{"blank before the first heading", "\n\n# A\n", []string{"1 A 3-3/3 b4 ^-"}},
		{"setext", "A\n=\n\ntwo\nlines\n---\nx\n", []string{"1 A 1-3/7 b3 ^-", "2 two lines 4-7/7 b7 ^0"}},
		{"setext after a link definition", "[a]: /b\nA\n=\n", []string{"0 file 1-1/1 b1 ^-", "1 A 2-3/3 b4 ^-"}},
		{"crlf", "# A\r\na\r\n\r\nB\r\n---\r\n", []string{"1 A 1-3/5 b2 ^-", "2 B 4-5/5 b6 ^0"}},
		{"lone cr", "# A\ra\r## B\rb", []string{"1 A 1-2/4 b2 ^-", "2 B 3-4/4 b4 ^0"}},
		{"mixed ends", "# A\r\n\r# B\n\r\n# C", []string{"1 A 1-2/2 b2 ^-", "1 B 3-4/4 b4 ^-", "1 C 5-5/5 b6 ^-"}},
		{"bom", "\ufeff# A\nx", []string{"1 A 1-2/2 b2 ^-"}},
		{"empty headings", "#\n## ##\nx\n### ", []string{"1  1-1/4 b2 ^-", "2  2-3/4 b3 ^0", "3  4-4/4 b5 ^1"}},
		{"fence", "# A\n```\n# no\n```\n~~~ x\n# no\n~~~~\n## B\n", []string{"1 A 1-7/8 b2 ^-", "2 B 8-8/8 b9 ^0"}},
		{"unclosed fence", "# A\n```\n# no\n## no\n", []string{"1 A 1-4/4 b2 ^-"}},
		{"html block and comment", "# A\n<div>\n# no\n</div>\n\n<!--\n# no\n\n# no\n-->\n# B\n", []string{"1 A 1-10/10 b2 ^-", "1 B 11-11/11 b12 ^-"}},
		{"headings in HTML", "<h1 align=\"center\">A &amp; <b>B</b></h1>\n\n<h2 id=x>C</h2>\nc\n<H3>D</H3>\n\n## E\n<h2><img></h2>\n", []string{
			"1 A & B 1-2/8 b2 ^-", "2 C 3-4/6 b4 ^0", "3 D 5-6/6 b6 ^1", "2 E 7-8/8 b8 ^0"}},
		{"HTML that holds headings", "# A\n<div>\n<h2>no</h2>\n</div>\n\n- <h2>no</h2>\n\n```\n<h2>no</h2>\n```\n<h2>no</h3>\n<h2>no\n</h2>\n", []string{
			"1 A 1-13/13 b2 ^-"}},
		{"indented code, no space, escaped, quote and list", "# A\n\n    # no\n\n#no\n\\# no\n> # no\n\n- # no\n", []string{"1 A 1-9/9 b2 ^-"}},
		{"seven signs", "####### no\n   ###### F ##\n", []string{"0 file 1-1/1 b1 ^-", "6 F 2-2/2 b3 ^-"}},
		{"front matter", "---\ntitle: T\n# no\n---\n# A\n", []string{"1 A 5-5/5 b6 ^-"}},
		{"front matter and text", "---\ntitle: T\n---\ntext\n# A\n", []string{"0 T 1-4/4 b1 ^-", "1 A 5-5/5 b6 ^-"}},
		{"front matter alone", "---\ntitle: T\n---\n", []string{"0 T 1-3/3 b1 ^-"}},
		{"front matter ended by dots, crlf, bom", "\ufeff---\r\ntitle: T\r\n...\r\nA\r\n=\r\n", []string{"1 A 4-5/5 b6 ^-"}},
		{"comments as front matter", "---\n# note\n---\n# A\n", []string{"1 A 4-4/4 b5 ^-"}},
		{"toml front matter", "+++\ntitle = 'T'\n# no\n+++\nx", []string{"0 T 1-5/5 b1 ^-"}},
		{"unclosed front matter", "---\ntitle: T\n# A\n", []string{"0 file 1-2/2 b1 ^-", "1 A 3-3/3 b4 ^-"}},
		{"thematic break first", "---\n\n# A\n\n---\n", []string{"0 file 1-2/2 b1 ^-", "1 A 3-5/5 b4 ^-"}},
		{"thematic break, then setext", "---\nplain words\n---\n", []string{"0 file 1-1/1 b1 ^-", "2 plain words 2-3/3 b4 ^-"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, outline(corpus.Cut("dir/file.md", []byte(tt.src)))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestCutMDX(t *testing.T) {
	tests := []struct {
		name, src string
		want      []string
	}{
		{"tags with space around them", "---\ntitle: T\n---\nimport Tabs from '@theme/Tabs'\n\n# A\n\n<Tabs>\n\n## B\n\ntext\n\n</Tabs>\n",
			[]string{"0 T 1-5/5 b1 ^-", "1 A 6-9/14 b7 ^-", "2 B 10-14/14 b11 ^1"}},
		{"in components", "# A\n<Tabs items={[\"x\"]}>\n  <Tab>\n    ## B\n    b\n  </Tab>\n\n  <>\n\t### C {#c}\n  </>\n</Tabs>\n",
			[]string{"1 A 1-3/11 b2 ^-", "2 B 4-8/11 b5 ^0", "3 C 9-11/11 b10 ^1"}},
		{"code in components", "# A\n<Step>\n    ```sh\n    # no\n    ```\n    1. ```yaml\n       # no\n       ```\n</Step>\n# B\n",
			[]string{"1 A 1-9/9 b2 ^-", "1 B 10-10/10 b11 ^-"}},
		{"tags before a break", "# A\n<Card>\n  x\n</Card>\n---\n<Card\n  y\n/>\n",
			[]string{"1 A 1-8/8 b2 ^-"}},
		{"HTML", "<h1 id=\"a\">A</h1>\n\n<p>\n  text\n</p>\n# B\n", []string{"1 A 1-5/5 b2 ^-", "1 B 6-6/6 b7 ^-"}},
		{"lone cr behind front matter", "+++\r+++\r\r# A", []string{"1 A 4-4/4 b5 ^-"}},
		{"lone cr", "# A\r<Tab>\r  ## B\r  b\r</Tab>\r", []string{"1 A 1-2/5 b2 ^-", "2 B 3-5/5 b4 ^0"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, outline(corpus.Cut("dir/file.mdx", []byte(tt.src)))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestCutTitles(t *testing.T) {
	tests := []struct{ name, src, want string }{
		{"emphasis", "# a **b** _c_ ~~d~~", "a b c ~~d~~"},
		{"code", "# `operator<<` and `a\\*b`", `operator<< and a\*b`},
		{"link and image", `# [text](/u "t") ![alt](i.png)`, "text alt"},
		{"reference link", "# [std][s] [none][x]\n\n[s]: /u", "std [none][x]"},
		{"autolink", "# see <https://e.org>", "see https://e.org"},
		{"html", "# <a id=\"x\"></a>Foo<br>", "Foo"},
		{"escapes", `# 1\. a\_b &amp; \&amp; &lt;T&gt;`, "1. a_b & &amp; <T>"},
		{"closing signs", "## A # ##", "A #"},
		{"anchor", "# Setup {#setup .wide}", "Setup"},
		{"anchor right behind", "# 設定はどこ？{# setup}", "設定はどこ？"},
		{"braces that are no anchor", "# A{b}{#}", "A{b}{#}"},
		{"anchor of an attribute list", "# Setup {: #setup .wide }", "Setup"},
		{"anchor in a comment", "# 設定 `x` {/*set-up*/}", "設定 x"},
		{"anchor with its sign in a comment", "# 設定 {/* #set-up */}", "設定"},
		{"no anchor", "# Fields of {/items/{id}}", "Fields of {/items/{id}}"},
		{"setext over lines", "a *b\nc* \\\nd\n===", "a b c d"},
		{"setext with CR LF", "a\r\nb\r\n===\r\n", "a b"},
		{"japanese", "# 第１条（**目的**）", "第１条（目的）"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := corpus.Cut("f.md", []byte(tt.src))[0].Title; got != tt.want {
				t.Errorf("title %q, want %q", got, tt.want)
			}
		})
	}
}

func TestFrontMatterTitle(t *testing.T) {
	tests := []struct{ name, block, want string }{
		{"plain", "title: A guide # draft", "A guide"},
		{"double quotes", `title: "A \"big\" guide: C:\\ # 1" # c`, `A "big" guide: C:\ # 1`},
		{"single quotes", "title: 'It''s'", "It's"},
		{"capital", "Title: A guide\nDate: 2026-11-30", "A guide"},
		{"folded", "tags: [a]\ntitle: >-\n  A long\n  title\nnext: 1", "A long title"},
		{"continued", "title: A long\n  title", "A long title"},
		{"nested title does not count", "sub:\n  title: no", "file"},
		{"empty", "title:\nnext: 1", "file"},
		{"unclosed quote", `title: "open`, `"open`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := corpus.Cut("file.md", []byte("---\n"+tt.block+"\n---\ntext"))[0].Title; got != tt.want {
				t.Errorf("title %q, want %q", got, tt.want)
			}
		})
	}
}

func TestHeadingPath(t *testing.T) {
	tests := []struct {
		name, src string
		want      []string
	}{
		{"chain", "# A\n## B\n### C\n## D", []string{"A", "A > B", "A > B > C", "A > D"}},

		{"front matter leads", "---\ntitle: T\n---\n# A\n## B", []string{"T > A", "T > A > B"}},
		{"same title once", "---\ntitle: a\n---\n# A\n## A\n### B", []string{"A", "A", "A > B"}},
		{"the only top heading is the subject", "intro\n## B\n# A", []string{"A > file", "A > B", "A"}},
		{"several top headings are none", "intro\n# A\n# B\n## C", []string{"file", "A", "B", "B > C"}},
		{"empty titles leave no trace", "# A\n##\n### C", []string{"A", "A", "A > C"}},
		{"no heading", "x", []string{"file"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := []string{}
			for _, s := range corpus.Cut("file.md", []byte(tt.src)) {
				got = append(got, s.HeadingPath)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestCutText(t *testing.T) {
	src := "\ufeffintro\r\n# A\r\na\r\n\r\nB\r\n--\r\nb"
	got := []string{}
	for _, s := range corpus.Cut("f.md", []byte(src)) {
		got = append(got, s.Text)
	}
	if diff := cmp.Diff([]string{"intro\r\n", "a\r\n\r\n", "b"}, got); diff != "" {
		t.Error(diff)
	}
}

func TestCutJSON(t *testing.T) {
	tests := []struct{ name, src, text string }{
		{"as written", "{\n \"a\": [1, 2]\n}\n", "{\n \"a\": [1, 2]\n}\n"},
		{"escapes of readable characters", `{"\u8fd4\u91d1":"\ud83d\ude00 \u00e9"}`, `{"返金":"😀 é"}`},
		{"escapes that must stay", `["\u0022 \u000a \\u8fd4 \ud83d x \u200b \n"]`, `["\u0022 \u000a \\u8fd4 \ud83d x \u200b \n"]`},
		{"broken", `{"a": \u8fd`, `{"a": \u8fd`},
		{"ends in a backslash", `x\`, `x\`},
		{"bom", "\ufeff{}", "{}"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			lines := strings.Count(strings.TrimSuffix(tt.src, "\n"), "\n") + 1
			want := []corpus.Section{{
				Section:     snapshot.Section{Title: "x.y", Node: snapshot.NodeJSON, Start: 1, End: lines, OwnEnd: lines, Body: 1, Parent: snapshot.None},
				HeadingPath: "x.y", Names: "d", Text: tt.text, Altered: tt.src != tt.text,
			}}
			if diff := cmp.Diff(want, corpus.Cut("d/x.y.JSON", []byte(tt.src))); diff != "" {
				t.Error(diff)
			}
		})
	}
}
