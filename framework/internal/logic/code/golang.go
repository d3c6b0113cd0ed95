package code

import (
	"go/ast"
	"go/parser"
	gotoken "go/token"
	"strings"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
)

// cutGo cuts Go by Go's own parser; ok is false where the syntax is broken.
func cutGo(src []byte) (File, bool) {
	files := gotoken.NewFileSet()
	parsed, err := parser.ParseFile(files, "", src, parser.SkipObjectResolution)
	if err != nil {
		return File{}, false
	}
	g := &goCutter{
		cutter: cutter{src: src, lines: corpus.NewLines(src), source: scan(golang, src)},
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
	return g.file(golang.name, false), true
}

type goCutter struct {
	cutter
	place func(gotoken.Pos) int
}

func (g *goCutter) function(d *ast.FuncDecl) {
	kind, name, body := Function, d.Name.Name, d.End()
	if d.Recv != nil && len(d.Recv.List) > 0 {
		receiver := d.Recv.List[0].Type
		written := string(g.src[g.place(receiver.Pos()):g.place(receiver.End())])
		of, _, _ := strings.Cut(strings.Trim(written, "*() "), "[") // without its type parameters
		kind, name = Method, join(of, name)
	}
	if d.Body != nil {
		body = d.Body.Lbrace
	}
	g.unit(kind, name, d.Pos(), body, d.End())
}

// general cuts a type into one unit per name, and a declaration of constants
// or variables, which are mostly understood together, into one.
func (g *goCutter) general(d *ast.GenDecl) {
	for i, spec := range d.Specs {
		var one ast.Node = spec
		if !d.Lparen.IsValid() {
			one = d
		}
		switch s := spec.(type) {
		case *ast.TypeSpec:
			g.unit(Type, s.Name.Name, one.Pos(), s.Type.Pos(), one.End())
		case *ast.ValueSpec:
			if i == 0 {
				g.unit(Constant, s.Names[0].Name, d.Pos(), s.Names[0].End(), d.End())
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

func (g *goCutter) unit(kind Kind, name string, from, body, to gotoken.Pos) {
	span := Span{g.place(from), g.place(to)}
	first, head := g.lines.At(span.Start), g.src[span.Start:max(span.Start, g.place(body))]
	g.units = append(g.units, Unit{
		Kind: kind, Name: name, Span: span, First: first, Decl: first, Last: g.lines.At(max(span.Start, span.End-1)),
		Signature: shorten(string(head[:min(len(head), 4*maxFact)])),
	})
}
