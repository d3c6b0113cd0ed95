// Package patentquery is the boolean query language of publication searches: it parses a query into
// a tree, prints it, warns of probable mistakes, and finds its terms and proximities in text.
//
// The grammar, loosest binding first; operators in any case, full-width letters,
// digits and signs of the language read as their ASCII forms:
//
//	or        = xor { "OR" xor }
//	xor       = and { "XOR" and }
//	and       = not { [ "AND" ] not }
//	not       = { "NOT" } nearby
//	nearby    = primary [ ( "NEAR" | "ADJ" ) [ digits ] primary ]
//	primary   = "(" or ")" | field ":" primary | kind ":" codes | near | phrase "~" digits | term
//	field     = title | abst | claim | desc (or abstract, claims, description)
//	kind      = fi | ft | ipc | cpc | applicant | inventor
//	codes     = term | "(" term { "OR" term } ")"
//	near      = ( "*N" | "*ONP" ) digits quote side side quote
//	side      = term | "(" term { "OR" term } ")"
//	term      = word [ "*" ] | quote words [ "*" ] quote
//
// Syntax of patent offices and other systems that this language lacks (?, $, a * before a word, word~) is
// rejected. A word that is an operator is quoted to be searched for. Inside a near, a phrase stands between \"
// and \".
//
// It does no I/O and knows no index. [Pattern] says which index terms a strategy can look up to
// find candidates.
package patentquery
