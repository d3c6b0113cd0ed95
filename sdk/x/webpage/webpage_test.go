package webpage

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/x/markdown"
)

// converted returns the blocks of a page as one text.
func converted(t testing.TB, src string, o Options) (Page, string) {
	t.Helper()
	var w markdown.Writer
	page, err := Convert(context.Background(), &w, []byte(src), o)
	if err != nil {
		t.Fatal(err)
	}
	return page, show(w.Blocks())
}

func show(blocks []sdk.Block) string {
	var b strings.Builder
	for _, block := range blocks {
		if block.Level > 0 || block.Place.Anchor != "" {
			fmt.Fprintf(&b, "%s %s {%s}\n", strings.Repeat("#", block.Level), block.Heading, block.Place.Anchor)
		}
		if block.Text != "" {
			b.WriteString(block.Text + "\n")
		}
	}
	return b.String()
}

func TestConvert(t *testing.T) {
	for _, c := range []struct{ name, src, want string }{
		{"headings and anchors", `<h1 id=a>One</h1>text<section id=s><h2>Two <a href="#s2" class=headerlink>¶</a></h2>x</section>
<a name=b></a><h3>Three</h3><h2><a id="c"/>Four</h2><p>y<h4>Five</h4>`,
			"# One {a}\ntext\n## Two {s2}\nx\n### Three {b}\n## Four {c}\ny\n#### Five {}\n"},
		{"a page's furniture", `<html><head><title> The  page </title><style>p{}</style></head><body>
<a class="skip-link" href="#main">Skip to content</a><header><a href="/">Site</a></header><nav><a href=x>Home</a></nav>
<div id="cookie-banner">We use cookies</div><main id=main><nav>in</nav><h1>T</h1><p>Body text of the page.</p>
<aside>A note.</aside><script>alert(1)</script><form><input><button>Go</button></form></main><aside>Ads</aside>
<footer>Imprint</footer></body></html>`, "# T {main}\nBody text of the page.\n\nA note.\n"},
		{"no main element", `<body><div class="breadcrumb"><a href=/>Home</a></div><h1>T</h1><p>Body</p><footer>c</footer>`, "# T {}\nBody\n"},
		{"links to pages before and behind", `<h1>T</h1>Body<ul class="docnav"><li class=next><a accesskey=n href=b.html><b>next</b>2. B</a></ul>`,
			"# T {}\nBody\n"},
		{"a form around all", `<form action=x><h1>T</h1><p>Body</p><input value=v></form>`, "# T {}\nBody\n"},
		{"addresses written out", `<p>See <a href="https://e.org/">E</a> <span class="link-target">[https://e.org/]</span>. <span>https://e.org/a</span>`, "See [E](https://e.org/). https://e.org/a\n"},
		{"nothing but links", `<div class=toc><a href=a.html>A</a> <a href=b.html>B</a></div>`, "[A](a.html) [B](b.html)\n"},
		{"hidden", `<p hidden>no</p><p style="display: none">no</p><p aria-hidden=true>no</p><div role=tabpanel hidden>yes</div>`, "yes\n"},
		{"lists", `<ul><li>one<ul><li>inner</ul><li><p>two</p><p>more</p></ul><ol start=3><li>c<li>d</ol>`,
			"- one\n  - inner\n- two\n\n  more\n3. c\n4. d\n"},
		{"definitions", `<dl><dt>-v<dd>Says more.<dt>-q<dd><p>Says less.</p><p>Much.</p></dl>`,
			"- -v\n  Says more.\n- -q\n  Says less.\n\n  Much.\n"},
		{"a table", `<table><caption>Sizes</caption><thead><tr><th>Name<th>MB</thead><tr><td rowspan=2>a|b<td>1<tr><td>2
<tr><td colspan=2>both</table>`, "Sizes\n\n| Name | MB |\n| --- | --- |\n| a\\|b | 1 |\n| a\\|b | 2 |\n| both | |\n"},
		{"a table of links", `<p>x<div class="table-contents"><table class=toc><tr><td>a<td>b<tr><td><a href=c.html>c</a><td><a href=d.html>d</a></table></div>`,
			"x\n\n| a | b |\n| --- | --- |\n| [c](c.html) | [d](d.html) |\n"},
		{"a layout table", `<table><tr><td>menu<td><h2>T</h2><p>text</table>`, "menu\n##  T {}\ntext\n"},
		{"a note with an icon", `<table><tr><td rowspan=2><img alt="[Tip]" src=t.png><th>Tip<tr><td>Do it.</table>`, "[Tip]\n\nTip\n\nDo it.\n"},
		{"a note with a heading", `<h2>T</h2><div class="x Note"><h3>Note</h3><p>Mind.</div>more<blockquote><h3>Said</h3>a</blockquote>`,
			"##  T {}\nNote\n\nMind.\n\nmore\n\n> Said\n>\n> a\n"},
		{"code", "<div class='highlight-sh notranslate'><div><pre>\nls  -l\n<b>cd</b> *x*\n</pre></div></div><p>Use <code>a_b  c</code>.",
			"```sh\nls  -l\ncd *x*\n```\n\nUse `a_b c`.\n"},
		{"a manual page", "<pre>\n<h2>NAME</h2>\n  ls - list\n<h2>SYNOPSIS</h2>\nls</pre>", "##  NAME {}\n```\n  ls - list\n```\n##  SYNOPSIS {}\n```\nls\n```\n"},
		{"links and images", `<p>See <a href="b.html#x">the <b>page</b></a>, <a href="javascript:x()">this</a>, <a href=#n>[1]</a>
<img src=a.png alt="A picture"><img src=b.png alt=b.png>.`, "See [the page](b.html#x), this, [1] A picture .\n"},
		{"ruby", `<p><ruby>保証<rp>(</rp><rt>ほしょう</rt><rp>)</rp></ruby>期間`, "保証期間\n"},
		{"labels", `<section id=the-fees><span id=fees></span><span id=id4></span><h2>1.2. The Fees<a href=#the-fees>¶</a></h2><p>x</section><section id=id1><span id=more></span><h2>More</h2><p>y</section>` +
			`<section id=last><h2>Last</h2><p>z</section>`, "## 1.2. The Fees {fees}\nx\n## More {more}\ny\n## Last {last}\nz\n"},
		{"names of pictures", `<p>R<img alt="Shape1" src=a.gif>eceived <img alt="isp.png" src=b.gif>on<img alt="a seal" src=c.gif>.`,
			"Received on a seal .\n"},
		{"marks of notes", `<p>Text<a href="c.xhtml#n1" epub:type="noteref">1</a> and <a role="doc-noteref" href="c.xhtml#n2">[2]</a> more`,
			"Text[1] and [2] more\n"},
		{"formulas", `<p>Thus <math><semantics><mrow><mi>E</mi><mo>=</mo><mi>m</mi><msup><mi>c</mi><mn>2</mn></msup><mo>+</mo>` +
			`<mfrac><mrow><mi>a</mi></mrow><mi>b</mi></mfrac></mrow><annotation encoding="application/x-tex">E=mc^2</annotation></semantics></math> holds`,
			"Thus E=mc²+a/b holds\n"},
		{"superscripts", `<p>10 m<sup>2</sup>, the 2<sup>nd</sup>`, "10 m², the 2nd\n"},
		{"lines and entities", "<p>保証は\n一年。<br>a &amp; b&nbsp;&lt;c&gt;", "保証は一年。\na & b \\<c>\n"},
		{"quotes", `<blockquote><p>a<p>b</blockquote>c`, "> a\n>\n> b\n\nc\n"},
		{"XHTML", `<?xml version="1.0"?><html><head><script src="x"/><title/></head><body><a id="i"/><h1>T</h1><p/>b<![CDATA[<c>]]></body></html>`, "# T {i}\nb\\<c>\n"},
		{"Word", `<html xmlns:o="urn:schemas-microsoft-com:office:office"><body><div class=WordSection1><h1>T<o:p></o:p></h1>
<p class=MsoNormal><span lang=EN-US>a</span><o:p>&nbsp;</o:p></p><![if !supportLists]>·<![endif]></div>`, "# T {}\na\n\n·\n"},
		{"a heading in a list", `<ul><li><ul><li><h3>T</h3>text</ul>more</ul>end`, "### T {}\ntext\n\nmore\n\nend\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			want := strings.ReplaceAll(c.want, "##  ", "## ")
			if _, got := converted(t, c.src, Options{}); got != want {
				t.Errorf("%s", cmp.Diff(want, got))
			}
		})
	}
}

func TestTitlesOfABook(t *testing.T) {
	o := Options{Chapter: "c1.xhtml", Titles: map[string]Title{
		"": {"Chapter 1", 1}, "p2": {"Part 2", 2}, "h": {"not this", 2}, "gone": {"nowhere", 2},
	}}
	_, got := converted(t, `<p>Chapter
  1</p><p>a</p><p id=p2>b</p><p>Part 2</p><div id=h><h3>Own</h3>c</div>`, o)
	const want = "# Chapter 1 {c1.xhtml}\na\n## Part 2 {c1.xhtml#p2}\nb\n\nPart 2\n### Own {c1.xhtml#h}\nc\n"
	if got != want {
		t.Errorf("%s", cmp.Diff(want, got))
	}
}

func TestDeclared(t *testing.T) {
	page, got := converted(t, "<meta http-equiv=Content-Type content='text/html; charset=EUC-JP'><title>\xca\xdd</title><p>\xca\xdd\xbe\xda", Options{})
	if page.Title != "保" || got != "保証\n" {
		t.Errorf("%+v %q", page, got)
	}
}

// Hostile pages take limited memory, stack and time.
func TestHostilePages(t *testing.T) {
	const many = 50000
	for _, c := range []struct{ name, src, want string }{
		{"deep", strings.Repeat("<div>", many) + "text" + strings.Repeat("</div>", many) + "<p>end", "text\n\nend\n"},
		{"deep inline", strings.Repeat("<b>", many) + "text", "text\n"},
		{"deep lists", strings.Repeat("<ul><li>", many) + "text", strings.Repeat("- ", 12) + "text\n"},
		{"deep tables", strings.Repeat("<table><tr><td>", many) + "text", "text\n"},
		{"deep quotes", strings.Repeat("<blockquote>", many) + "text", strings.Repeat("> ", 12) + "text\n"},
		{"end tags", strings.Repeat("</div></p></table>", many) + "text", "text\n"},
		{"open paragraphs", strings.Repeat("<p>", many) + "text", "text\n"},
		{"open links", strings.Repeat("<a href=x>", many) + "text", "[text](x)\n"},
		{"attributes", "<p " + strings.Repeat("id=x ", many) + ">text", "text\n"},
		{"a huge span", "<table><tr><td rowspan=999999999 colspan=999999999>a<td>b<tr><td>c<td>d</table>", "| a |\n"},
		{"an open script", "text<script>" + strings.Repeat("<p>no", many), "text\n"},
		{"an open comment", "text<!--" + strings.Repeat("<p>no", many), "text\n"},
		{"half a tag", "text<p class=", "text\n"},
		{"NUL", "a\x00b\x01c", "abc\n"},
		{"nothing", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, got := converted(t, c.src, Options{})
			if c.name == "a huge span" {
				if !strings.HasPrefix(got, "a\n") && !strings.HasPrefix(got, "| a") {
					t.Errorf("got %q", got)
				}
			} else if got != c.want {
				t.Errorf("got %.200q, want %q", got, c.want)
			}
		})
	}
}

func TestConvertStops(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Convert(ctx, new(markdown.Writer), []byte(strings.Repeat("<p>a", 10000)), Options{}); err == nil {
		t.Error("a page was converted after its time")
	}
}

func FuzzConvert(f *testing.F) {
	f.Add("<h1 id=a>T</h1><p>x<ul><li>y<table><tr><td rowspan=2>z")
	f.Add("<dl><dt>a<dd><pre>b<h2>c</pre></dl><ruby>d<rt>e</ruby>")
	f.Add("<?xml version='1.0' encoding='shift_jis'?><a id='x'/><svg><title>t</title></svg>\x82\xa0")
	f.Fuzz(func(t *testing.T, src string) {
		var w markdown.Writer
		if _, err := Convert(context.Background(), &w, []byte(src), Options{Chapter: "c"}); err != nil {
			return
		}
		for _, b := range w.Blocks() {
			if b.Level < 0 || b.Level > 6 || strings.Contains(b.Heading, "\n") || !utf8.ValidString(b.Text+b.Heading+b.Place.Anchor) {
				t.Errorf("a block of %q: %+v", src, b)
			}
		}
	})
}

// A single paragraph as long as the page could not be stopped in the middle.
func TestLongTextIsCut(t *testing.T) {
	text := strings.Repeat("word ", maxParagraph/2)
	for _, src := range []string{text, "<b>bold</b>" + text, "<p>" + text} {
		_, got := converted(t, src, Options{})
		lines := strings.Split(got, "\n\n")
		for _, line := range lines {
			if len(line) > maxParagraph+len("**bold**") {
				t.Errorf("%.20q: a paragraph of %d bytes", src, len(line))
			}
		}
		if n := strings.Count(got, "word"); n != maxParagraph/2 {
			t.Errorf("%.20q: %d words, want %d", src, n, maxParagraph/2)
		}
	}
}
