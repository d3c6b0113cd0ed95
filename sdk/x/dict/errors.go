package dict

import (
	"fmt"
	"strings"
)

// Error is one mistake in a dictionary file.
type Error struct {
	File   string `json:"file"` // as passed by the caller
	Line   int    `json:"line"` // from 1; 0 for the file as a whole
	Reason string `json:"reason"`
}

// Error implements error: file:line: reason.
func (e *Error) Error() string {
	if e.Line == 0 {
		return e.File + ": " + e.Reason
	}
	return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Reason)
}

// Errors are all mistakes that were found, by line.
type Errors []*Error

// Error implements error with one mistake per line.
func (e Errors) Error() string {
	lines := make([]string, len(e))
	for i, x := range e {
		lines[i] = x.Error()
	}
	return strings.Join(lines, "\n")
}

// maxErrors is the maximum number of mistakes per file that are reported.
const maxErrors = 100

func (e *Errors) add(file string, line int, format string, args ...any) {
	if len(*e) < maxErrors {
		*e = append(*e, &Error{file, line, fmt.Sprintf(format, args...)})
	}
}

// err returns the errors, or nil if there are none.
func (e Errors) err() error {
	if len(e) == 0 {
		return nil
	}
	return e
}
