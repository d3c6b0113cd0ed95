package conformance

import (
	"runtime/debug"
	"strings"
	"testing"
)

func TestPlaceIsThatOfTheFirstPanic(t *testing.T) {
	stack := func() (stack string) {
		defer func() {
			_ = recover()
			stack = string(debug.Stack())
		}()
		defer func() { panic(recover()) }() // passes it on
		panicHere()
		return ""
	}()
	if got := place(stack); !strings.Contains(got, "suite_test.go:26") {
		t.Errorf("it came from%s\n%s", got, stack)
	}
}

//go:noinline
func panicHere() {
	panic("on purpose") // line 26
}
