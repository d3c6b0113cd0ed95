// Package lazyregexp compiles regular expressions on first use, because every bundled strategy runs the same binary as
// its host and uses few of its expressions.
package lazyregexp

import (
	"regexp"
	"sync"
)

// New returns a function that compiles the expression on the first call and returns it. That call
// panics if the expression is invalid, as [regexp.MustCompile] does.
func New(expression string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}
