package wire

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/x/guard"
)

var (
	// ErrGone means that the process ended, or its connection broke, before it answered.
	ErrGone = errors.New("the process ended before it answered")
	// ErrOpening means that the strategy was still preparing for the snapshot when the call's time was up. It continues
	// to do so.
	ErrOpening = errors.New("the strategy is still opening the snapshot")
	// ErrForeign means that the strategy reads another format of snapshots.
	ErrForeign = errors.New("it was built for another format of the index: build it with the sdk of this sagasu, " +
		"install a newer release of it, or update sagasu")
	// ErrTooLarge means that a message was over the size limit.
	ErrTooLarge = errors.New("message over the size limit")
	// ErrMalformed means that an answer could not be decoded.
	ErrMalformed = errors.New("malformed result")
)

// toStatus returns the form in which an error of the strategy is sent.
func toStatus(err error) error {
	if err == nil {
		return nil
	}
	if p, ok := errors.AsType[*guard.PanicError](err); ok {
		st := status.New(codes.Internal, valid(p.Error()))
		with, detailErr := st.WithDetails(&errdetails.DebugInfo{
			Detail: valid(p.Value), StackEntries: []string{valid(p.Stack)},
		})
		if detailErr == nil {
			st = with
		}
		return st.Err()
	}
	code := codes.Unknown
	bad, corrupt := errors.AsType[*snapshot.CorruptError](err)
	switch {
	case corrupt && bad.Foreign:
		code = codes.OutOfRange
	case errors.Is(err, ErrOpening):
		code = codes.FailedPrecondition
	case errors.Is(err, context.DeadlineExceeded):
		code = codes.DeadlineExceeded
	case errors.Is(err, context.Canceled):
		code = codes.Canceled
	}
	return status.Error(code, valid(err.Error()))
}

// fromStatus returns the host's error for the result of a call.
func fromStatus(err error) error {
	st, ok := status.FromError(err)
	if err == nil || !ok {
		return err
	}
	for _, detail := range st.Details() {
		if p, ok := detail.(*errdetails.DebugInfo); ok {
			stack := strings.Join(p.StackEntries, "\n")
			return &guard.PanicError{Value: line(p.Detail), Stack: stack[:min(len(stack), guard.MaxStack)]}
		}
	}
	said := line(st.Message())
	switch st.Code() {
	case codes.DeadlineExceeded:
		return context.DeadlineExceeded
	case codes.Canceled:
		if said == closing {
			return fmt.Errorf("%w: %s", ErrGone, said) // another call noticed first that the process is gone
		}
		return context.Canceled
	case codes.Unavailable:
		return fmt.Errorf("%w: %s", ErrGone, said)
	case codes.FailedPrecondition:
		return ErrOpening
	case codes.OutOfRange:
		return fmt.Errorf("%w (%s)", ErrForeign, said)
	case codes.ResourceExhausted:
		return fmt.Errorf("%w: %s", ErrTooLarge, said)
	case codes.Unknown:
		return errors.New(said)
	default:
		return fmt.Errorf("%s: %s", st.Code(), said)
	}
}

// closing is grpc's message for a call on a connection that another call has closed.
const closing = "grpc: the client connection is closing"

// maxSaid is the maximum length in bytes of a strategy's text in an error.
const maxSaid = 500

// line makes an untrusted text fit into one line of a log or a terminal.
func line(s string) string {
	s = strings.ToValidUTF8(s[:min(len(s), maxSaid)], "")
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, s)
}
