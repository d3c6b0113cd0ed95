package toolset

import (
	"context"
	"errors"
	"fmt"
	"slices"
)

// Code is a machine-readable class of failure.
type Code string

const (
	InvalidParameter Code = "invalid_parameter"
	InvalidPath      Code = "invalid_path"
	OutOfScope       Code = "out_of_scope"
	NotFound         Code = "not_found"
	Forbidden        Code = "forbidden"
	InvalidScope     Code = "invalid_scope"
	Conflict         Code = "conflict"
	NeedsNarrowScope Code = "needs_narrow_scope"
	NotAvailable     Code = "not_available"
	Internal         Code = "internal"
)

// Codes of the tools that search and fuse publications.
const (
	InvalidQuery   Code = "INVALID_QUERY"
	FilterError    Code = "FILTER_ERROR"
	RunNotFound    Code = "RUN_NOT_FOUND"
	BackendError   Code = "BACKEND_ERROR"
	InvalidRRFCall Code = "INVALID_PARAMETER"
)

// Error is a failure as a caller sees it.
type Error struct {
	Code Code `json:"code"`
	// Message is one sentence.
	Message string `json:"message" doc:"What is wrong and what to do next."`
	// Details holds the offending parameter, the actual and the expected value and, if they help, an example call or
	// did_you_mean.
	Details map[string]any `json:"details"`

	cause error
}

// Errorf returns an Error with a formatted message, in which long texts are abridged. A %w operand becomes the cause.
func Errorf(code Code, format string, args ...any) *Error {
	args = slices.Clone(args)
	for i, arg := range args {
		if text, ok := arg.(string); ok {
			args[i] = abridged(text)
		}
	}
	err := fmt.Errorf(format, args...)
	return &Error{Code: code, Message: err.Error(), Details: map[string]any{}, cause: errors.Unwrap(err)}
}

// abridged removes the middle of a text of more than 500 code points, most of which is usually the caller's.
func abridged(text string) string {
	if runes := []rune(text); len(runes) > 500 {
		return string(runes[:450]) + "…" + string(runes[len(runes)-50:])
	}
	return text
}

// With adds a detail and returns e. It shortens a text under the key got.
func (e *Error) With(key string, value any) *Error {
	if text, ok := value.(string); ok && key == "got" {
		value = Shorten(text)
	}
	e.Details[key] = value
	return e
}

// Argument adds the offending argument, its actual value and the expected one, and returns e.
func (e *Error) Argument(name string, got, expected any) *Error {
	return e.With("parameter", name).With("got", got).With("expected", expected)
}

// Renamed gives the argument of an error its name in the call, if the error calls it by one of the names known.
func Renamed(err error, name string, known ...string) error {
	if e, ok := errors.AsType[*Error](err); ok {
		if now, _ := e.Details["parameter"].(string); slices.Contains(known, now) {
			e.With("parameter", name)
		}
	}
	return err
}

// Error implements error.
func (e *Error) Error() string { return string(e.Code) + ": " + e.Message }

// Unwrap returns the cause, or nil.
func (e *Error) Unwrap() error { return e.cause }

// AsError returns err as an Error. Any other error becomes the cause of one with the code Internal.
func AsError(err error) *Error {
	if fe, ok := errors.AsType[*Error](err); ok {
		return fe
	}
	return &Error{Code: Internal, Message: "an unexpected failure occurred; the server's log has the cause",
		Details: map[string]any{}, cause: err}
}

// Invalid reports a bad argument.
func Invalid(name string, got any, expected string) *Error {
	return Errorf(InvalidParameter, "%s must be %s", name, expected).Argument(name, got, expected)
}

// Explain returns the error that a caller sees: err itself if it is an Error that is not internal, an error for a
// cancelled or overdue call, or else that of [AsError].
func Explain(err error) *Error {
	if e, ok := errors.AsType[*Error](err); ok && e.Code != Internal {
		return e
	}
	switch {
	case errors.Is(err, context.Canceled):
		return Errorf(NotAvailable, "the call was ended before it was done: %w", err)
	case errors.Is(err, context.DeadlineExceeded):
		return Errorf(NotAvailable, "the call did not finish in time; try again, or with a narrower scope: %w", err)
	}
	return AsError(err)
}
