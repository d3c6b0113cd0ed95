package lexical

// Expr is a boolean expression over the sections of a snapshot: [AllOf], [OneOf],
// [NoneOf], [Holds] or [Together].
type Expr interface{ expr() }

// AllOf holds where all its parts do; there is at least one.
type AllOf []Expr

// OneOf holds where one of its parts does; there is at least one.
type OneOf []Expr

// NoneOf holds where its part does not.
type NoneOf struct{ Part Expr }

// Holds holds where one of the fields has a term of each group and passes Verify. For the
// score it counts as often as the rarest group does.
type Holds struct {
	// Key tells equal conditions on equal fields from others: they are evaluated, and
	// counted for the score, once.
	Key string
	// Groups are terms of the dictionary; none at all means every section.
	Groups [][]string
	// Fields are the fields that count.
	Fields Fields
	// Verify looks at the text of a field; nil where the terms are proof.
	Verify func(section uint32, field int) bool
	// Proof is a term that needs no Verify where a field has it, "" for none. It is the
	// first term of the only group.
	Proof string
}

// Together holds where one of the fields has something of every side and passes Verify.
// The sides are not verified on their own.
type Together struct {
	Sides  [][]Holds
	Fields Fields
	Verify func(section uint32, field int) bool
}

// Fields is a set of fields by their index in a snapshot.
type Fields uint8

// With adds a field.
func (f Fields) With(field int) Fields { return f | 1<<field }

// Has reports whether a field is in the set.
func (f Fields) Has(field int) bool { return f>>field&1 == 1 }

func (AllOf) expr()    {}
func (OneOf) expr()    {}
func (NoneOf) expr()   {}
func (Holds) expr()    {}
func (Together) expr() {}
