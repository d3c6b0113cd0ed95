package mermaid

import "strings"

// Shape is the form of a node, by its name in `@{ shape: … }`.
type Shape string

// The shapes that brackets draw. Shapes that only `@{ shape: … }` can name keep
// the name they were given.
const (
	Rectangle    Shape = "rect"
	Rounded      Shape = "rounded"
	Stadium      Shape = "stadium"
	Subroutine   Shape = "fr-rect"
	Cylinder     Shape = "cyl"
	CircleShape  Shape = "circle"
	DoubleCircle Shape = "dbl-circ"
	Ellipse      Shape = "ellipse"
	Odd          Shape = "odd"
	Diamond      Shape = "diam"
	Hexagon      Shape = "hex"
	LeanRight    Shape = "lean-r"
	LeanLeft     Shape = "lean-l"
	Trapezoid    Shape = "trap-b"
	InvTrapezoid Shape = "trap-t"
)

// bracket is an opening of a label with the closings that may end it, each
// making a shape.
type bracket struct {
	open   string
	closes []closing
}

type closing struct {
	text  string
	shape Shape
}

// brackets are tried in order, the longer before its prefix.
var brackets = []bracket{
	{"(((", []closing{{")))", DoubleCircle}}},
	{"((", []closing{{"))", CircleShape}}},
	{"([", []closing{{"])", Stadium}}},
	{"(-", []closing{{"-)", Ellipse}}},
	{"(", []closing{{")", Rounded}}},
	{"[[", []closing{{"]]", Subroutine}}},
	{"[(", []closing{{")]", Cylinder}}},
	{"[/", []closing{{"/]", LeanRight}, {`\]`, Trapezoid}}},
	{`[\`, []closing{{`\]`, LeanLeft}, {"/]", InvTrapezoid}}},
	{"[", []closing{{"]", Rectangle}}},
	{"{{", []closing{{"}}", Hexagon}}},
	{"{", []closing{{"}", Diamond}}},
	{">", []closing{{"]", Odd}}},
}

// aliases are other names of the shapes that brackets draw.
var aliases = map[string]Shape{
	"rectangle": Rectangle, "proc": Rectangle, "process": Rectangle, "square": Rectangle,
	"event":    Rounded,
	"terminal": Stadium, "pill": Stadium,
	"subprocess": Subroutine, "subroutine": Subroutine, "subproc": Subroutine, "framed-rectangle": Subroutine,
	"db": Cylinder, "database": Cylinder, "cylinder": Cylinder,
	"circ":          CircleShape,
	"double-circle": DoubleCircle,
	"decision":      Diamond, "diamond": Diamond, "question": Diamond,
	"hexagon": Hexagon, "prepare": Hexagon,
	"lean-right": LeanRight, "in-out": LeanRight,
	"lean-left": LeanLeft, "out-in": LeanLeft,
	"trapezoid": Trapezoid, "trapezoid-bottom": Trapezoid, "priority": Trapezoid,
	"inv-trapezoid": InvTrapezoid, "trapezoid-top": InvTrapezoid, "manual": InvTrapezoid,
}

// shapeNamed is the shape of a name in `@{ shape: … }`.
func shapeNamed(name string) Shape {
	name = strings.ToLower(name)
	if shape, ok := aliases[name]; ok {
		return shape
	}
	return Shape(name)
}
