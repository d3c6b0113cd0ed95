package wire

import (
	"fmt"
	"runtime/debug"
)

// maxStack bounds a stack that crosses the border, in bytes.
const maxStack = 16 << 10

// PanicError is a panic in a strategy's code.
type PanicError struct {
	Value string // what was passed to panic
	Stack string // the goroutine's stack, cut at 16 KiB
}

// Error implements error; the stack is for the log.
func (e *PanicError) Error() string { return "panic: " + e.Value }

// Guard runs a strategy's code and turns a panic into a [*PanicError].
func Guard(code func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			stack := debug.Stack()
			err = &PanicError{Value: fmt.Sprint(r), Stack: string(stack[:min(len(stack), maxStack)])}
		}
	}()
	return code()
}
