package sdk_test

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/printer"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// exported lists the exported names of a package, a line each.
func exported(t *testing.T, dir string) (out []string) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	var parsed []*ast.File
	files := token.NewFileSet()
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		parsed = append(parsed, file)
	}
	evaluate(files, parsed...)
	for _, file := range parsed {
		out = append(out, fileLines(file)...)
	}
	return out
}

// evaluate puts the values of constants into their places in the files of a package: the
// length of an array and the value of a constant may hang on a constant that is not exported.
// What hangs on another package stays as it is written.
func evaluate(set *token.FileSet, files ...*ast.File) {
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}}
	config := types.Config{Error: func(error) {}} // what is imported is missing, which does no harm
	_, _ = config.Check("", set, files, info)
	for _, file := range files {
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.ArrayType:
				if length := info.Types[n.Len].Value; length != nil {
					n.Len = &ast.BasicLit{Value: length.ExactString()}
				}
			case *ast.GenDecl:
				if n.Tok == token.CONST {
					spell(n, info)
				}
			}
			return true
		})
	}
}

// spell gives the constants of a declaration their types and values, also those that repeat
// what stands above them.
func spell(d *ast.GenDecl, info *types.Info) {
	var kind ast.Expr
	for at, spec := range d.Specs {
		s := spec.(*ast.ValueSpec)
		if s.Type != nil || len(s.Values) > 0 {
			kind = s.Type
		}
		s.Type = kind
		written := s.Values
		s.Values = make([]ast.Expr, len(s.Names))
		for i, name := range s.Names {
			switch c, ok := info.Defs[name].(*types.Const); {
			case ok && c.Val().Kind() != constant.Unknown:
				s.Values[i] = &ast.BasicLit{Value: c.Val().ExactString()}
			case i < len(written):
				s.Values[i] = written[i]
			default:
				s.Values[i] = &ast.BasicLit{Value: fmt.Sprintf("number %d", at)}
			}
		}
	}
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
		for _, spec := range d.Specs {
			switch s := spec.(type) {
			case *ast.TypeSpec:
				out = append(out, typeLines(s)...)
			case *ast.ValueSpec:
				out = append(out, values(d.Tok, s)...)
			}
		}
	}
	return out
}

// function returns the line of a function or a method that others can call.
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

// typeLines returns a line for the type and one per exported field. An interface is one line
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
			if len(field.Names) == 0 {
				out = append(out, head+" struct, embeds "+source(field.Type))
			}
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

// values returns the lines of constants and variables. The value of a constant is part of its
// promise.
func values(kind token.Token, s *ast.ValueSpec) (out []string) {
	for i, name := range s.Names {
		if !name.IsExported() {
			continue
		}
		line := kind.String() + " " + name.Name
		if s.Type != nil {
			line += " " + source(s.Type)
		}
		if kind == token.CONST {
			line += " = " + source(s.Values[i])
		}
		out = append(out, line)
	}
	return out
}

// source returns an expression as it is written, without the names of parameters.
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
