package code_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/logic/code"
)

type fataler interface {
	Helper()
	Fatalf(string, ...any)
}

// checkTiling checks what Cut promises for any input: units are in order, nested or disjoint, and on their lines, and
// all text is in a unit.
func checkTiling(t fataler, src []byte, f code.File) {
	t.Helper()
	lines, covered := corpus.NewLines(src), 0
	for i, u := range f.Units {
		if u.Start < 0 || u.End > len(src) || u.Empty() || i > 0 && u.Start < f.Units[i-1].Start {
			t.Fatalf("unit %d %v of %d bytes is out of place", i, u.Span, len(src))
		}
		if u.Last != lines.At(u.End-1) || u.First < lines.At(u.Start) || u.First > u.Decl || u.Decl > u.Last {
			t.Fatalf("unit %d: lines %d, %d, %d at %d-%d", i, u.First, u.Decl, u.Last, lines.At(u.Start), lines.At(u.End-1))
		}
		if u.Parent != code.NoParent {
			if p := f.Units[u.Parent]; u.Parent >= i || p.Start > u.Start || p.End < u.End {
				t.Fatalf("unit %d %v lies not in its parent %d %v", i, u.Span, u.Parent, p.Span)
			}
			continue
		}
		if u.Start < covered || len(bytes.TrimSpace(src[covered:u.Start])) > 0 {
			t.Fatalf("unit %d starts at %d, but the one before ends at %d", i, u.Start, covered)
		}
		covered = u.End
	}
	if len(bytes.TrimSpace(src[covered:])) > 0 {
		t.Fatalf("the text from %d on belongs to no unit", covered)
	}
}

// extensions has one for each language, and one without a language.
var extensions = []string{".go", ".ts", ".tsx", ".js", ".py", ".java", ".cs", ".rb", ".php", ".rs", ".sql", ".txt"}

// pieces are parts of programs, and what breaks them.
var pieces = strings.Split("{|}|(|)|[|]|<|>|;|,|:|=|=>|->|::|.|\"|'|`|${|#{|{$|$$|/|//|/*|*/|#|--|\\|\n|\n  |\n\t|\r\n| |def |end|class A|"+
	"function f|fn g|func h()|if |x|1|@a|#[|<<~T\n|T|<<<T\n|%w[|%(|?|\"\"\"|r#\"|'''|return |const |=begin\n|=end|CREATE TABLE t|BEGIN|case |"+
	"throw new |<a>|</a>|/>|async |get |type T = |interface I|impl X for Y|enum E|namespace N|do |:s|あ|\x00|\xff|<?php|?>|__END__\n", "|")

func TestAnyTextIsTiled(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		src := []byte(strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 60).Draw(t, "src"), ""))
		for _, ext := range extensions {
			checkTiling(t, src, code.Cut("f"+ext, src))
		}
	})
}

// fuzz starts with the sample of a language.
func fuzz(f *testing.F, ext string) {
	samples, err := filepath.Glob("testdata/*" + ext)
	if err != nil || len(samples) == 0 {
		f.Fatal("no sample", err)
	}
	for _, name := range samples {
		src, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(src)
	}
	f.Fuzz(func(t *testing.T, src []byte) { checkTiling(t, src, code.Cut("f"+ext, src)) })
}

func FuzzGo(f *testing.F)         { fuzz(f, ".go") }
func FuzzTypeScript(f *testing.F) { fuzz(f, ".ts") }
func FuzzTSX(f *testing.F)        { fuzz(f, ".tsx") }
func FuzzJavaScript(f *testing.F) { fuzz(f, ".js") }
func FuzzPython(f *testing.F)     { fuzz(f, ".py") }
func FuzzJava(f *testing.F)       { fuzz(f, ".java") }
func FuzzCSharp(f *testing.F)     { fuzz(f, ".cs") }
func FuzzRuby(f *testing.F)       { fuzz(f, ".rb") }
func FuzzPHP(f *testing.F)        { fuzz(f, ".php") }
func FuzzRust(f *testing.F)       { fuzz(f, ".rs") }
func FuzzSQL(f *testing.F)        { fuzz(f, ".sql") }
