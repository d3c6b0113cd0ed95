// Package lazyregexp keeps regular expressions from being compiled by processes that never
// use them: every strategy runs the same binary as its host.
package lazyregexp

import (
	"regexp"
	"sync"
)

// New returns an expression that is compiled when it is first asked for. It panics then if it
// is none, as [regexp.MustCompile] does.
func New(expression string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}
