package code

import "slices"

// Kind is the kind of a unit.
type Kind string

// The kinds of units.
const (
	Function Kind = "function" // a function that belongs to no type
	Method   Kind = "method"   // a function of a class, object or receiver
	Type     Kind = "type"     // a class, interface, struct, enumeration, module or SQL table
	Constant Kind = "constant" // a named value or a table of values
	Rest     Kind = "rest"     // source text between the declarations, or in no known language
)

// NoParent is the Parent of a unit that nothing encloses.
const NoParent = -1

// Span is a range of bytes, the end not included.
type Span struct{ Start, End int }

// Empty reports whether the span holds nothing.
func (s Span) Empty() bool { return s.End <= s.Start }

// Unit is a piece of a file that is found and shown as a whole. Two units of a file are disjoint or nested, and every
// byte that is not white space is in a unit.
type Unit struct {
	Kind Kind
	// Name is the declared name, or "" for a rest.
	Name string
	// Names are all names in a Go declaration of constants or variables, starting with Name unless the first is _. They
	// are nil for any other unit.
	Names []string
	// Qualified is the name, preceded by the names of the enclosing units and joined by dots.
	Qualified string
	// Parent is the index of the unit that encloses this one, or NoParent.
	Parent int
	// First and Last are the lines of the declaration with its decorators, from 1.
	First, Last int
	// Decl is the line of the declaration after its decorators.
	Decl int
	// Span contains the declaration and the doc comment before it.
	Span
	// Doc is the doc comment or doc string; it may be empty.
	Doc   Span
	Facts Facts
}

// File is a cut source file.
type File struct {
	// Language is the name of the language, or "text" if it is unknown.
	Language string
	// Units are in order of their start; an enclosing unit comes before those inside it.
	Units []Unit
	// Comments are the comments of a known language in order of their start, without those for tools, such as a #!
	// line.
	Comments []Span
	// Texts are the strings that span several lines; there are none for Go.
	Texts []Span
	// Broken reports whether the syntax could not be followed to the end.
	Broken bool
}

// Uncommented returns the source that f was cut from, with a space for every byte of comments and doc strings, so that
// lines and columns do not move.
func (f File) Uncommented(src []byte) []byte {
	bare, blanks := slices.Clone(src), slices.Clone(f.Comments)
	for _, u := range f.Units {
		blanks = append(blanks, u.Doc)
	}
	for _, s := range blanks {
		for i := s.Start; i < s.End; i++ {
			if bare[i] != '\n' && bare[i] != '\r' {
				bare[i] = ' '
			}
		}
	}
	return bare
}
