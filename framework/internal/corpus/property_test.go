package corpus_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
	"pgregory.net/rapid"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// pieces are lines that begin headings or prevent them.
var pieces = []string{
	"# A", "## B *b*", "### ", "###### 約款 ##", "#x", "    # code", "text", "más texto", "", "", "===", "---", "- item", "- # in list",
	"> quote", "> # in quote", "```", "~~~", "<div>", "</div>", "<!--", "-->", "[a]: /b", "1. one", "\t# tab", "+++", "title: T", "***", "\\# no", "<script>", "|a|b|", "|-|-|",
}

func document(t *rapid.T) string {
	lines := rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 30).Draw(t, "lines")
	return strings.Join(lines, "\n") + rapid.SampledFrom([]string{"", "\n"}).Draw(t, "end")
}

// fullParse returns the oracle: headings from goldmark's own complete parser.
func fullParse(src []byte) []string {
	found := []string{}
	for n := goldmark.New().Parser().Parse(text.NewReader(src)).FirstChild(); n != nil; n = n.NextSibling() {
		if h, ok := n.(*ast.Heading); ok {
			found = append(found, fmt.Sprintf("%d@%d", h.Level, 1+bytes.Count(src[:h.Pos()], []byte("\n"))))
		}
	}
	return found
}

func cutHeadings(src []byte) []string {
	found := []string{}
	for _, s := range corpus.Cut("f.md", src) {
		if s.Node == snapshot.NodeHeading {
			found = append(found, fmt.Sprintf("%d@%d", s.Level, s.Start))
		}
	}
	return found
}

func TestCutAgreesWithFullParse(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		src := []byte("start\n\n" + document(t)) // so that there is no front matter
		if diff := cmp.Diff(fullParse(src), cutHeadings(src)); diff != "" {
			t.Fatalf("%q: %s", src, diff)
		}
	})
}

func TestCutIgnoresTheKindOfLineEnd(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lf := document(t)
		for _, name := range []string{"f.md", "f.mdx"} {
			want := outline(corpus.Cut(name, []byte(lf)))
			for _, end := range []string{"\r\n", "\r"} {
				if diff := cmp.Diff(want, outline(corpus.Cut(name, []byte(strings.ReplaceAll(lf, "\n", end))))); diff != "" {
					t.Fatalf("%s, %q with %q: %s", name, lf, end, diff)
				}
			}
		}
	})
}

func TestCutTilesTheFile(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		src := document(t)
		for _, end := range []string{"\n", "\r\n", "\r"} {
			checkTiles(t, "f.md", []byte(strings.ReplaceAll(src, "\n", end)))
			checkTiles(t, "f.mdx", []byte(strings.ReplaceAll(src, "\n", end)))
		}
	})
}

// checkTiles checks what holds for the sections of any text: own texts and headings cover every line once, in order,
// and nesting follows levels.
func checkTiles(t interface{ Fatalf(string, ...any) }, name string, src []byte) {
	sections, lines := corpus.Cut(name, src), corpus.NewLines(src)
	if len(sections) == 0 {
		t.Fatalf("%q has no section", src)
	}
	next := sections[0].Start
	for i, s := range sections {
		if s.Start != next || s.OwnEnd < s.Start || s.Body < s.Start || s.Body > s.OwnEnd+1 || s.End < s.OwnEnd {
			t.Fatalf("%q: section %d is %+v, expected to start at %d", src, i, s.Section, next)
		}
		next = s.OwnEnd + 1
		own := strings.TrimPrefix(string(src[lines.Start(s.Body):lines.Start(next)]), "\ufeff")
		if s.Text != own {
			t.Fatalf("%q: section %d has text %q, its lines are %q", src, i, s.Text, own)
		}
		if s.Parent != snapshot.None {
			up := sections[s.Parent]
			if int(s.Parent) >= i || up.Level >= s.Level || s.End > up.End {
				t.Fatalf("%q: section %d %+v in %+v", src, i, s.Section, up.Section)
			}
		}
	}
	if next != lines.Count()+1 {
		t.Fatalf("%q: sections end before line %d of %d", src, next, lines.Count())
	}
}

func FuzzCut(f *testing.F) {
	for _, seed := range append(pieces, "\ufeff---\ntitle: x\n---\n# A\n", "a\rb\r\n==", "# [a](<b>) `c` &amp; \\*\n\n[a]: /x") {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		if corpus.NotText(src) != "" {
			return
		}
		checkTiles(t, "f.md", src)
		checkTiles(t, "f.mdx", src)
		if fenced := bytes.TrimPrefix(src, []byte("\ufeff")); !bytes.ContainsRune(src, '\r') &&
			!bytes.HasPrefix(fenced, []byte("---")) && !bytes.HasPrefix(fenced, []byte("+++")) && len(fenced) == len(src) {
			if diff := cmp.Diff(fullParse(src), cutHeadings(src)); diff != "" {
				t.Fatalf("%q: %s", src, diff)
			}
		}
		for _, s := range corpus.Cut("f.md", src) {
			if !utf8.ValidString(s.Title) {
				t.Fatalf("%q: title %q", src, s.Title)
			}
		}
	})
}

func TestLines(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		src := []byte(rapid.StringOf(rapid.SampledFrom([]rune("a\r\n約"))).Draw(t, "src"))
		lines := corpus.NewLines(src)
		for at := range src {
			line := lines.At(at)
			if at < lines.Start(line) || at >= lines.Start(line+1) {
				t.Fatalf("%q: byte %d is not in line %d", src, at, line)
			}
		}
		unix := strings.ReplaceAll(strings.ReplaceAll(string(src), "\r\n", "\n"), "\r", "\n")
		want := strings.Count(strings.TrimSuffix(unix, "\n"), "\n") + 1
		if lines.Count() != want || lines.Start(want+1) != len(src) {
			t.Fatalf("%q: %d lines, want %d", src, lines.Count(), want)
		}
	})
}
