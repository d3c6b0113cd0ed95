package code

import "strings"

// sqlKinds are the kinds of things that a statement creates or fills.
var sqlKinds = map[string]Kind{
	"TABLE": Type, "VIEW": Type, "TYPE": Type, "DOMAIN": Type,
	"FUNCTION": Function, "PROCEDURE": Function, "TRIGGER": Function, "INTO": Constant,
}

// outlineStatements cuts a file at the ends of its statements.
func outlineStatements(s *source) []declaration {
	var found []declaration
	for start := 0; start < len(s.tokens); {
		end := s.sqlEnd(start)
		if d, ok := s.sqlDeclaration(start, end); ok {
			found = append(found, d)
		}
		start = end + 1
	}
	return found
}

// keywordAt returns the word at i in upper case, or "" if there is none.
func (s *source) keywordAt(i int) string {
	if s.kind(i) != word {
		return ""
	}
	return strings.ToUpper(s.text(i))
}

// sqlEnd returns the last token of the statement that starts at token start: its semicolon, outside of quotes and of
// BEGIN … END.
func (s *source) sqlEnd(start int) int {
	depth, body := 0, s.keywordAt(start) == "CREATE" || s.keywordAt(start) == "ALTER"
	quote := ""
	for i := start; i < len(s.tokens); i = s.over(i) {
		switch t := s.text(i); {
		case s.kind(i) == punct && len(t) > 1 && t[0] == '$':
			if quote == "" {
				quote = t
			} else if quote == t {
				quote = ""
			}
		case quote != "":
		case t == "/" && s.is(i+1, "/"): // a delimiter of MySQL's client
			return i + 1
		case t == ";" && depth == 0, i > start && s.first(i) && s.keywordAt(i) == "GO":
			return i
		case body:
			depth = max(0, depth+s.sqlDepth(i))
		}
	}
	return len(s.tokens) - 1
}

func (s *source) sqlDepth(i int) int {
	switch s.keywordAt(i) {
	case "BEGIN", "CASE":
		if s.keywordAt(i-1) != "END" {
			return 1
		}
	case "END":
		switch s.keywordAt(i + 1) {
		case "IF", "LOOP", "WHILE", "REPEAT", "FOR":
			return 0
		}
		return -1
	}
	return 0
}

// sqlDeclaration reads what a statement declares.
func (s *source) sqlDeclaration(start, end int) (declaration, bool) {
	verb := s.keywordAt(start)
	if verb != "CREATE" && verb != "ALTER" && verb != "INSERT" && verb != "REPLACE" {
		return declaration{}, false
	}
	for at := start + 1; at < min(end, start+12); at++ {
		kind := sqlKinds[s.keywordAt(at)]
		if kind == "" {
			continue
		}
		at++
		for set("IF NOT EXISTS ONLY")[s.keywordAt(at)] {
			at++
		}
		return declaration{kind: kind, name: s.sqlName(&at), start: start, decl: start, end: end}, true
	}
	return declaration{}, false
}

// sqlName reads a name with its schema and moves at past it.
func (s *source) sqlName(at *int) string {
	parts := []string{}
	for {
		parts = append(parts, strings.Trim(s.text(*at), "\"`[]"))
		*at++
		if !s.is(*at, ".") {
			return strings.Join(parts, ".")
		}
		*at++
	}
}
