package patentquery

import (
	"fmt"
	"slices"
	"strings"
)

// Field is a text field of a publication. [Any] means the fields in the scope of the search.
type Field string

const (
	Any   Field = ""
	Title Field = "title"
	Abst  Field = "abst"
	Claim Field = "claim"
	Desc  Field = "desc"
)

// Fields are the fields in the order of the publications' schema.
var Fields = [...]Field{Title, Abst, Claim, Desc}

var fieldNames = map[string]Field{
	"title": Title, "abst": Abst, "claim": Claim, "desc": Desc,
	"abstract": Abst, "claims": Claim, "description": Desc,
}

// ParseField reads the name of a field, in any case.
func ParseField(name string) (Field, bool) {
	f, ok := fieldNames[strings.ToLower(name)]
	return f, ok
}

// Node is a part of a query: And, Or, Not, Term or Near.
type Node interface {
	// String returns the node in the query language. Parsing the result gives an equal node.
	String() string
	binding() int
}

// And matches where all its nodes match. It has two or more, and none is an And.
type And struct{ Nodes []Node }

// Or matches where one of its nodes matches. It has two or more, and none is an Or.
type Or struct{ Nodes []Node }

// Not matches where its node does not match.
type Not struct{ Node Node }

// Term is a word or a phrase.
type Term struct {
	Field  Field
	Text   string // as written, without quotes and star; never contains a quote
	Quoted bool   // match as written, not by its stem
	Prefix bool   // the last word is a prefix
}

// Near matches where a term of each side occur at most Distance characters, or words, apart in one
// field. It counts the characters between the two in normalised text. In scripts without spaces,
// each character counts as a word.
type Near struct {
	Field       Field
	Ordered     bool // left comes before right
	Words       bool // Distance counts words
	Distance    int  // 0 to MaxDistance
	Left, Right []Term
}

// Code matches publications that have a classification code or one below it, or an applicant or
// inventor whose name contains the value.
type Code struct {
	Kind  string // of [CodeKinds]
	Value string // in normal form; never contains a quote
}

// CodeKinds are the kinds of codes and names, as written in a query and in the keywords of a snapshot.
var CodeKinds = [...]string{"fi", "ft", "ipc", "cpc", "applicant", "inventor"}

// MaxDistance is the maximum distance of a proximity.
const MaxDistance = 9999

const (
	bindsOr = iota
	bindsAnd
	bindsNot
	bindsTight
)

func (And) binding() int  { return bindsAnd }
func (Or) binding() int   { return bindsOr }
func (Not) binding() int  { return bindsNot }
func (Term) binding() int { return bindsTight }
func (Near) binding() int { return bindsTight }
func (Code) binding() int { return bindsTight }

func (a And) String() string { return joined(a.Nodes, " AND ", bindsNot) }
func (o Or) String() string  { return joined(o.Nodes, " OR ", bindsAnd) }
func (n Not) String() string { return "NOT " + bracketed(n.Node, bindsNot) }

func (t Term) String() string { return inField(t.Field, t.write(`"`)) }

func (c Code) String() string { return c.Kind + `:"` + c.Value + `"` }

func (n Near) String() string {
	if n.Words {
		operator := "NEAR"
		if n.Ordered {
			operator = "ADJ"
		}
		s := fmt.Sprintf("(%s %s%d %s)", side(n.Left, `"`), operator, n.Distance, side(n.Right, `"`))
		return inField(n.Field, s)
	}
	operator := "*N"
	if n.Ordered {
		operator = "*ONP"
	}
	return inField(n.Field, fmt.Sprintf(`%s%d"%s %s"`, operator, n.Distance, side(n.Left, `\"`), side(n.Right, `\"`)))
}

// write prints a term without its field.
func (t Term) write(quote string) string {
	s := t.Text
	if t.Prefix {
		s += "*"
	}
	if t.Quoted {
		s = quote + s + quote
	}
	return s
}

func side(terms []Term, quote string) string {
	written := make([]string, len(terms))
	for i, t := range terms {
		written[i] = t.write(quote)
	}
	if len(terms) == 1 {
		return written[0]
	}
	return "(" + strings.Join(written, " OR ") + ")"
}

func inField(f Field, s string) string {
	if f == Any {
		return s
	}
	return string(f) + ":" + s
}

func joined(nodes []Node, by string, least int) string {
	written := make([]string, len(nodes))
	for i, n := range nodes {
		written[i] = bracketed(n, least)
	}
	return strings.Join(written, by)
}

// bracketed prints a node, in brackets if it binds more loosely than its context requires.
func bracketed(n Node, least int) string {
	if n.binding() < least {
		return "(" + n.String() + ")"
	}
	return n.String()
}

// Conditions returns the terms and the proximities of a query from left to right. It leaves out everything under
// a NOT.
func Conditions(n Node) (out []Node) {
	var parts []Node
	switch n := n.(type) {
	case And:
		parts = n.Nodes
	case Or:
		parts = n.Nodes
	case Term, Near:
		return []Node{n}
	}
	for _, part := range parts {
		out = append(out, Conditions(part)...)
	}
	return out
}

// Terms returns the terms of a query from left to right, including those of proximities. It leaves
// out everything under a NOT.
func Terms(n Node) (terms []Term) {
	for _, c := range Conditions(n) {
		switch c := c.(type) {
		case Term:
			terms = append(terms, c)
		case Near:
			terms = append(terms, slices.Concat(c.Left, c.Right)...)
		}
	}
	return terms
}
