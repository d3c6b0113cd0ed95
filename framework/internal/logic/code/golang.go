package code

import (
	"go/ast"
	"go/parser"
	gotoken "go/token"
	"strings"
)

// cutGo cuts Go with Go's own parser; ok is false if the syntax is broken.
func cutGo(src []byte) (File, bool) {
	files := gotoken.NewFileSet()
	parsed, err := parser.ParseFile(files, "", src, parser.SkipObjectResolution)
	if err != nil {
		return File{}, false
	}
	g := &goCutter{
		cutter: newCutter(scan(golang, src)),
		place:  func(p gotoken.Pos) int { return files.PositionFor(p, false).Offset },
	}
	for _, d := range parsed.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			g.function(d)
		case *ast.GenDecl:
			g.general(d)
		}
	}
	return g.file(false), true
}

type goCutter struct {
	*cutter
	place func(gotoken.Pos) int
}

func (g *goCutter) function(d *ast.FuncDecl) {
	kind, name := Function, d.Name.Name
	if d.Recv != nil && len(d.Recv.List) > 0 {
		receiver := d.Recv.List[0].Type
		written := string(g.src[g.place(receiver.Pos()):g.place(receiver.End())])
		of, _, _ := strings.Cut(strings.Trim(written, "*() "), "[") // without type parameters
		kind, name = Method, join(of, name)
	}
	g.unit(kind, name, d)
}

// general cuts a type declaration into one unit for each name. A declaration of constants or variables becomes one
// unit, because they usually belong together.
func (g *goCutter) general(d *ast.GenDecl) {
	for i, spec := range d.Specs {
		var one ast.Node = spec
		if !d.Lparen.IsValid() {
			one = d
		}
		switch s := spec.(type) {
		case *ast.TypeSpec:
			g.unit(Type, s.Name.Name, one)
		case *ast.ValueSpec:
			if i == 0 {
				g.unit(Constant, s.Names[0].Name, d)
				g.units[len(g.units)-1].Names = declared(d.Specs)
			}
		}
	}
}

// declared returns the names of constants or variables.
func declared(specs []ast.Spec) (all []string) {
	for _, s := range specs {
		for _, name := range s.(*ast.ValueSpec).Names {
			if name.Name != "_" {
				all = append(all, name.Name)
			}
		}
	}
	return all
}

func (g *goCutter) unit(kind Kind, name string, node ast.Node) {
	span := Span{g.place(node.Pos()), g.place(node.End())}
	first := g.lines.At(span.Start)
	g.units = append(g.units, Unit{
		Kind: kind, Name: name, Span: span, First: first, Decl: first, Last: g.lines.At(max(span.Start, span.End-1)),
	})
}
