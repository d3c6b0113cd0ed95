package sdk_test

import (
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "add what is new to testdata/api.txt")

// promised are the packages whose exported names stay; of some only the names given, with
// what belongs to them.
var promised = map[string][]string{
	".": nil, "sdktest": nil, "serve": nil, "text": nil,
	"sample":   {"Publication", "Section"},
	"snapshot": {"Snapshot", "Segment", "Postings", "Bound", "Section", "Kind", "NodeKind", "None", "FieldHeading", "FieldBody", "FieldTitle", "FieldAbst", "FieldClaim", "FieldDesc", "FieldRecord", "KindManual", "KindVault", "KindPublication", "KindLogic"},
}

// subject is the name that a line is about.
var subject = regexp.MustCompile(`^\w+ (?:type|const|var|func(?: \(\*?\w+\))?) (\w+)`)

// receiver is the type whose method a line is about.
var receiver = regexp.MustCompile(`^\w+ func \(\*?(\w+)\)`)

// about tells whether a line is about one of the names, or any if there are none.
func about(line string, names []string) bool {
	m := receiver.FindStringSubmatch(line)
	if m == nil {
		m = subject.FindStringSubmatch(line)
	}
	return len(names) == 0 || m != nil && slices.Contains(names, m[1])
}

// TestPromise keeps the promise of the package comment: what testdata/api.txt holds stays
// as it is. Additions are recorded with -update; a line goes only by hand.
func TestPromise(t *testing.T) {
	var now []string
	for dir, names := range promised {
		now = append(now, slices.DeleteFunc(exported(t, dir), func(line string) bool { return !about(line, names) })...)
	}
	now = append(append(now, protocol()...), border()...)
	golden := filepath.Join("testdata", "api.txt")
	data, err := os.ReadFile(golden)
	if err != nil && !*update {
		t.Fatal(err)
	}
	before := strings.FieldsFunc(string(data), func(r rune) bool { return r == '\n' })
	gone, added := changes(before, now)
	for _, line := range gone {
		t.Errorf("gone or changed, which breaks strategies of others: %s", line)
	}
	if len(added) == 0 {
		return
	}
	if !*update {
		t.Errorf("new, to be promised with -update:\n%s", strings.Join(added, "\n"))
		return
	}
	all := append(before, added...)
	slices.Sort(all)
	if err := os.WriteFile(golden, []byte(strings.Join(all, "\n")+"\n"), 0o666); err != nil {
		t.Fatal(err)
	}
}

// changes parts the lines that only before has from those that only now has.
func changes(before, now []string) (gone, added []string) {
	without := func(lines, others []string) []string {
		return slices.DeleteFunc(slices.Clone(lines), func(line string) bool { return slices.Contains(others, line) })
	}
	return without(before, now), without(now, before)
}

func TestChangesAreSeen(t *testing.T) {
	before := listed(t, "type Strategy interface { Describe() }\nconst Most = 5\nfunc Best(list []int, limit int) []int { return list }\ntype T struct { A int }\nfunc (*T) hidden() {}")
	for after, want := range map[string][2]int{ // gone, added
		"type Strategy interface { Describe() }\nconst Most = 5\nfunc Best(all []int, n int) []int { return all }\ntype T struct { A int; b bool }":        {0, 0},
		"type Strategy interface { Describe() }\nconst Most = 5\nfunc Best(list []int, limit int) []int { return list }\ntype T struct { A, B int }":       {0, 1},
		"type Strategy interface { Describe(); Close() }\nconst Most = 5\nfunc Best(list []int, limit int) []int { return list }\ntype T struct { A int }": {1, 1},
		"type Strategy interface { Describe() }\nconst Most = 6\nfunc Best(list []int) []int { return list }\ntype T struct { A uint }":                    {3, 3},
		"type Strategy interface { Describe() }\nconst Most = 5":                                                                                           {3, 0},
	} {
		gone, added := changes(before, listed(t, after))
		if len(gone) != want[0] || len(added) != want[1] {
			t.Errorf("%s\ngone: %q, added: %q", after, gone, added)
		}
	}
}

// listed lists the exported names of a source text.
func listed(t *testing.T, text string) (out []string) {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "x.go", "package x\n"+text, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	return fileLines(file)
}

// exported lists the exported names of a package, a line each.
func exported(t *testing.T, dir string) (out []string) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, fileLines(file)...)
	}
	return out
}

func fileLines(file *ast.File) (out []string) {
	for _, decl := range file.Decls {
		for _, line := range lines(decl) {
			out = append(out, file.Name.Name+" "+line)
		}
	}
	return out
}

func lines(decl ast.Decl) (out []string) {
	switch d := decl.(type) {
	case *ast.FuncDecl:
		if line := function(d); line != "" {
			out = append(out, line)
		}
	case *ast.GenDecl:
		var kind ast.Expr // of constants that follow one another
		for i, spec := range d.Specs {
			switch s := spec.(type) {
			case *ast.TypeSpec:
				out = append(out, typeLines(s)...)
			case *ast.ValueSpec:
				if s.Type != nil || len(s.Values) > 0 {
					kind = s.Type
				}
				out = append(out, values(d.Tok, s, kind, i)...)
			}
		}
	}
	return out
}

// function is the line of a function or a method that others can call.
func function(d *ast.FuncDecl) string {
	if !d.Name.IsExported() {
		return ""
	}
	receiver := ""
	if d.Recv != nil {
		receiver = source(d.Recv.List[0].Type)
		if !ast.IsExported(strings.TrimPrefix(receiver, "*")) {
			return ""
		}
		receiver = "(" + receiver + ") "
	}
	return "func " + receiver + d.Name.Name + signature(d.Type)
}

// signature leaves out the names of parameters.
func signature(f *ast.FuncType) string {
	list := func(fields *ast.FieldList) (types []string) {
		if fields == nil {
			return nil
		}
		for _, field := range fields.List {
			for range max(len(field.Names), 1) {
				types = append(types, source(field.Type))
			}
		}
		return types
	}
	out := ""
	if f.TypeParams != nil {
		out = "[" + strings.Join(list(f.TypeParams), ", ") + "]"
	}
	out += "(" + strings.Join(list(f.Params), ", ") + ")"
	if results := list(f.Results); len(results) > 0 {
		out += " (" + strings.Join(results, ", ") + ")"
	}
	return out
}

// typeLines are a line for the type and one per exported field. An interface is one line
// whole: who implements it misses a new method.
func typeLines(s *ast.TypeSpec) []string {
	if !s.Name.IsExported() {
		return nil
	}
	head := "type " + s.Name.Name
	switch kind := s.Type.(type) {
	case *ast.StructType:
		out := []string{head + " struct"}
		for _, field := range kind.Fields.List {
			for _, name := range field.Names {
				if name.IsExported() {
					out = append(out, fmt.Sprintf("%s struct, %s %s", head, name.Name, source(field.Type)))
				}
			}
		}
		return out
	case *ast.InterfaceType:
		var methods []string
		for _, m := range kind.Methods.List {
			if f, ok := m.Type.(*ast.FuncType); ok {
				methods = append(methods, m.Names[0].Name+signature(f))
			} else {
				methods = append(methods, source(m.Type))
			}
		}
		slices.Sort(methods)
		return []string{head + " interface { " + strings.Join(methods, "; ") + " }"}
	}
	if s.Assign.IsValid() {
		head += " ="
	}
	return []string{head + " " + source(s.Type)}
}

// values are the lines of constants and variables. The value of a constant is part of its
// promise.
func values(token token.Token, s *ast.ValueSpec, kind ast.Expr, at int) (out []string) {
	for i, name := range s.Names {
		if !name.IsExported() {
			continue
		}
		line := token.String() + " " + name.Name
		if kind != nil {
			line += " " + source(kind)
		}
		switch {
		case token.String() == "const" && i < len(s.Values):
			line += " = " + source(s.Values[i])
		case token.String() == "const":
			line += fmt.Sprintf(" = number %d", at)
		}
		out = append(out, line)
	}
	return out
}

// source is an expression as it is written, without the names of parameters.
func source(e ast.Expr) string {
	if f, ok := e.(*ast.FuncType); ok {
		return "func" + signature(f)
	}
	var b strings.Builder
	if err := printer.Fprint(&b, token.NewFileSet(), e); err != nil {
		panic(err) // a builder takes everything, and the parser has read the expression
	}
	return strings.Join(strings.Fields(b.String()), " ")
}
