package guard

import (
	"errors"
	"fmt"
	"runtime/debug"
	"strings"

	"github.com/hashicorp/go-hclog"
)

// MaxStack is the maximum length of a recorded stack in bytes.
const MaxStack = 16 << 10

// PanicError is a panic that was recovered.
type PanicError struct {
	Value string // what was passed to panic, on one line
	Stack string // of the goroutine, cut at [MaxStack]
}

// Error implements error; the stack is for the log.
func (e *PanicError) Error() string { return "panic: " + e.Value }

// Call runs f and returns its error, or its panic as a [*PanicError].
func Call(f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			stack := debug.Stack()
			err = &PanicError{
				Value: strings.Join(strings.Fields(fmt.Sprint(p)), " "),
				Stack: string(stack[:min(len(stack), MaxStack)]),
			}
		}
	}()
	return f()
}

// LogStack logs the stack of a panic at debug level, if err is a panic.
func LogStack(log hclog.Logger, err error) {
	if bad, ok := errors.AsType[*PanicError](err); ok {
		log.Debug("where it panicked", "panic", bad.Value, "stack", bad.Stack)
	}
}
