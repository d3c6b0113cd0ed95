package patentquery

import (
	"fmt"
	"unicode/utf8"
)

// SyntaxError reports where a query cannot be parsed.
type SyntaxError struct {
	Position int    // in characters from 1; for the end of the query, one more than its length
	Offset   int    // the same in bytes from 0
	Found    string // the text found there
	Expected string // what was expected
	Example  string // a valid query, corrected from this one if possible
}

// Error implements error.
func (e *SyntaxError) Error() string {
	return fmt.Sprintf("at character %d of the query: found %s, expected %s", e.Position, e.Found, e.Expected)
}

// fix replaces cut bytes at an offset.
type fix struct {
	at, cut int
	insert  string
}

// failure is a SyntaxError under construction, with the fix for it.
type failure struct {
	SyntaxError
	fix fix
}

// Example is shown if a query cannot be corrected.
const Example = `(顔認証 OR 顔識別) AND (遮蔽 OR マスク)`

// mends is the maximum number of mistakes in a query that are fixed for its example.
const mends = 8

// report finishes the error of a query.
func (f *failure) report(query string) *SyntaxError {
	e := f.SyntaxError
	e.Position = utf8.RuneCountInString(query[:e.Offset]) + 1
	e.Example = Example
	for range mends {
		query = query[:f.fix.at] + f.fix.insert + query[f.fix.at+f.fix.cut:]
		var node Node
		if node, f = parse(query); f == nil {
			if _, odd := parse(node.String()); odd == nil { // signs that were escaped may stand there unescaped
				e.Example = node.String()
			}
			break
		}
	}
	return &e
}
