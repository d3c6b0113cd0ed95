package code

// declaration is a declared unit by its tokens.
type declaration struct {
	kind  Kind
	name  string
	start int // first token, decorators included
	decl  int // first token behind the decorators
	body  int // where the signature ends
	end   int // last token
	doc   int // token of the doc string, 0 where there is none
}

// outline finds the declarations of a scanned file.
func outline(s *source) []declaration {
	switch s.lang.style {
	case indents:
		return outlineIndents(s)
	case ends:
		return outlineEnds(s)
	case statements:
		return outlineStatements(s)
	default:
		return outlineBraces(s)
	}
}
