// Package patentquery is the boolean query language of publication searches: it parses
// a query into a tree, prints it again, warns of what is probably not meant, and finds its
// terms and proximities in text.
//
// The grammar, loosest binding first; operators in any case, full-width letters,
// digits and signs of the language read as their ASCII forms:
//
//	or        = and { "OR" and }
//	and       = not { [ "AND" ] not }
//	not       = { "NOT" } primary
//	primary   = "(" or ")" | field ":" primary | near | term
//	field     = title | abst | claim | desc (or abstract, claims, description)
//	near      = ( "*N" | "*ONP" ) digits quote side side quote
//	side      = term | "(" term { "OR" term } ")"
//	term      = word [ "*" ] | quote words [ "*" ] quote
//
// A word that is an operator is quoted to be searched for. Inside a near, a phrase stands
// between \" and \".
//
// It knows no index and does no I/O: where a strategy finds its candidates is its own
// matter, for which [Pattern] tells what an index must hold.
package patentquery
