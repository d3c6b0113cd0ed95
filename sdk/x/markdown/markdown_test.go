package markdown

import (
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
	"golang.org/x/net/html"
	"pgregory.net/rapid"

	"github.com/sagasu-search/sagasu/sdk"
)

func inline(s string) *Inline {
	var in Inline
	in.Text(s)
	return &in
}

func TestEscapesAreFew(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", ""},
		{"  a \n b\u00a0c ", "a b c"},
		{"知って\nいる", "知っている"},
		{"知って いる", "知って いる"},
		{"hy\u00adphen\u200b", "hyphen"},
		{"foo_bar __init__ a * b", `foo_bar \_\_init\_\_ a * b`},
		{"*.deb and *.dsc", "*.deb and *.dsc"},
		{"*all* of it", `\*all\* of it`},
		{"a <b and c", "a <b and c"},
		{"the <package> name", `the \<package> name`},
		{"a & b &amp; c", `a & b \&amp; c`},
		{`C:\Windows\_x`, `C:\Windows\\_x`},
		{"`x' and `y'", "\\`x' and \\`y'"},
		{"one ` tick", "one ` tick"},
		{"[1] and f[0](x)", `[1] and f[0\](x)`},
		{"[a]: b", `\[a]: b`},
		{"# no heading", `\# no heading`},
		{"#1 is text", "#1 is text"},
		{"1. is the same as an item", "1. is the same as an item"},
		{"- # x", `- \# x`},
		{"> quoted", `\> quoted`},
		{"---", `\---`},
		{"~~~", `\~~~`},
	} {
		if got := inline(c.text).String(); got != c.want {
			t.Errorf("%q is %q, want %q", c.text, got, c.want)
		}
	}
}

func TestInlineMarkup(t *testing.T) {
	var in Inline
	in.Text("See! ")
	in.Link(inline("the [first page"), "a page.html#x")
	in.Text(", ")
	in.Link(inline("https://example.org/"), "https://example.org")
	in.Link(inline("[1]"), "#note")
	in.Break()
	in.Code("a `b`  c")
	in.Text(" ends")
	in.Break()
	const want = "See! [the \\[first page](<a page.html#x>), https://example.org/[1]\n``a `b` c`` ends"
	if got := in.String(); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := in.Plain(); got != "See! the [first page, https://example.org/[1] a `b` c ends" {
		t.Errorf("plain %q", got)
	}
}

func TestWriter(t *testing.T) {
	var w Writer
	w.Paragraph(inline("before"))
	w.Heading(7, inline("One # *two*"), sdk.Place{Anchor: "one"})
	w.Paragraph(inline("text"))
	w.Item(0)
	w.Paragraph(inline("first"))
	w.Item(3)
	w.Paragraph(inline("inner"))
	w.Code("sh", "a\n\n  b\n")
	w.Close()
	w.Close()
	w.Item(0)
	w.Paragraph(inline("term"))
	w.Join()
	w.Paragraph(inline("definition"))
	w.Paragraph(inline("more"))
	w.Quote()
	w.Paragraph(inline("quoted"))
	w.Paragraph(inline("again"))
	w.Close()
	w.Close()
	w.Table([][]*Inline{{inline("a|b"), inline("c")}, {inline("d")}})
	w.Code("", "x ``` y")
	want := []sdk.Block{
		{Text: "before"},
		{Level: 6, Heading: "One # *two*", Place: sdk.Place{Anchor: "one"}, Text: `text

- first
  3. inner

     ` + "```sh" + `
     a

       b
     ` + "```" + `
- term
  definition

  more

  > quoted
  >
  > again

| a\|b | c |
| --- | --- |
| d | |

` + "````\nx ``` y\n````"},
	}
	if diff := cmp.Diff(want, w.Blocks()); diff != "" {
		t.Error(diff)
	}
}

// TestAdjacentCode counts the bytes that many spans of code take, which are joined.
func TestAdjacentCode(t *testing.T) {
	const spans = 20_000
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	var in Inline
	for range spans {
		in.Code("x")
	}
	in.Text(" y ")
	in.Code("z")
	runtime.ReadMemStats(&after)
	if want := "`" + strings.Repeat("x", spans) + "` y `z`"; in.String() != want {
		t.Errorf("got %.40q…", in.String())
	}
	if n := (after.TotalAlloc - before.TotalAlloc) >> 20; n > 32 {
		t.Errorf("%d MB", n)
	}
}

func TestWriterIsBounded(t *testing.T) {
	var w Writer
	for range 100000 {
		w.Item(0)
	}
	w.Paragraph(inline("deep"))
	for range 100000 {
		w.Close()
	}
	w.Paragraph(inline("flat"))
	if got, want := w.Blocks()[0].Text, strings.Repeat("- ", deepest)+"deep\n\nflat"; got != want {
		t.Errorf("got %q", got)
	}
}

// reading returns the words that a reader of Markdown sees, and the markers of lists.
func reading(markdown string) string {
	src := []byte(markdown)
	var b strings.Builder
	root := goldmark.New().Parser().Parse(text.NewReader(src))
	ast.Walk(root, func(node ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch node := node.(type) {
		case *ast.Text:
			var value = node.Value(src)
			if node.Parent().Kind() == ast.KindCodeSpan {
				b.Write(value)
			} else {
				b.WriteString(unescaped(string(value)))
			}
			if node.SoftLineBreak() || node.HardLineBreak() {
				b.WriteByte(' ')
			}
		case *ast.Paragraph:
			b.WriteByte(' ')
		case *ast.AutoLink:
			b.WriteString("AUTOLINK")
		case *ast.RawHTML:
			b.WriteString("HTML")
		case *ast.Heading, *ast.ThematicBreak, *ast.HTMLBlock, *ast.FencedCodeBlock, *ast.CodeBlock, *ast.Blockquote:
			b.WriteString(" BLOCK")
		}
		return ast.WalkContinue, nil
	})
	return strings.Join(strings.Fields(b.String()), " ")
}

// unescaped resolves backslashes and entities.
func unescaped(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) && isPunctuation(s[i+1]) {
			i++
			if s[i] == '&' {
				b.WriteString("&amp;")
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return regexp.MustCompile(`&#?[0-9a-zA-Z]+;`).ReplaceAllStringFunc(b.String(), html.UnescapeString)
}

func TestTextReadsBack(t *testing.T) {
	token := rapid.SampledFrom([]string{"a", "B", "字", "。", " ", " ", "\n", "*", "**", "_", "`", "``", "[", "]", "(", ")", "<", ">", "b>",
		"&", "amp;", "#39;", "\\", "!", "#", "-", "+", "=", "~~~", "|", ":", ".", "1", "http://x", "<!--", "\"", "'", "\u200b", "€"})
	rapid.Check(t, func(t *rapid.T) {
		var in Inline
		for range rapid.IntRange(1, 4).Draw(t, "parts") {
			s := strings.Join(rapid.SliceOfN(token, 0, 8).Draw(t, "text"), "")
			switch rapid.IntRange(0, 4).Draw(t, "kind") {
			case 0:
				in.Code(s)
			case 1:
				in.Link(inline(s), "to.html")
			case 2:
				in.Break()
			default:
				in.Text(s)
			}
		}
		want := in.Plain()
		if at := marker().FindString(want); at != "" {
			t.Skip("starts like a list")
		}
		md := in.String()
		for _, line := range strings.Split(md, "\n") {
			if marker().MatchString(line) {
				t.Skip("a line starts like a list")
			}
		}
		if got := reading(md); got != strings.Join(strings.Fields(want), " ") {
			t.Fatalf("%q reads %q, want %q", md, got, want)
		}
	})
}

func FuzzInline(f *testing.F) {
	f.Add("a *b* _c_ `d` [e](f) <g> &amp; \\* # h")
	f.Add("1. - # x\n---\n| a |\n[a]: b")
	f.Fuzz(func(t *testing.T, s string) {
		in := inline(s)
		if in.cell() != "" && strings.Contains(in.cell(), "\n") {
			t.Errorf("a cell of two lines: %q", in.cell())
		}
		if in.Empty() != (in.Plain() == "") {
			t.Errorf("empty is %v of %q", in.Empty(), in.Plain())
		}
	})
}
