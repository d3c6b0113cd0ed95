package host

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/x/border"
	"github.com/sagasu-search/sagasu/sdk/x/guard"
	"github.com/sagasu-search/sagasu/sdk/x/wire"
)

// Failure reports that a strategy or a converter failed, and why.
type Failure struct {
	Name  string
	Stage sdk.Stage // when it would have been called, "" where that is not known
	Err   error
}

// Error implements error.
func (f Failure) Error() string {
	if f.Stage == StageConvert {
		return fmt.Sprintf("converter %s: %v", f.Name, f.Err)
	}
	return fmt.Sprintf("strategy %s: %v", f.Name, f.Err)
}

// Unwrap returns the reason.
func (f Failure) Unwrap() error { return f.Err }

// Blames reports whether the document may be the reason why a converter failed: it crashed, did not answer, or
// gave an answer that breaks the rules of the border.
func (f Failure) Blames() bool {
	return severityOf(f.Err) != harmless || errors.Is(f.Err, context.DeadlineExceeded)
}

// Brief returns the reason for callers of a search, as the end of a sentence. It omits the
// strategy's own words, which are only logged.
func (f Failure) Brief() string {
	if breach, ok := errors.AsType[*border.BreachError](f.Err); ok {
		return "it broke the rule: " + breach.Rule
	}
	if starved, ok := errors.AsType[memoryError](f.Err); ok {
		return starved.Error()
	}
	if _, ok := errors.AsType[*guard.PanicError](f.Err); ok {
		return "it panicked, the log says where"
	}
	for _, known := range []struct {
		is  error
		say string
	}{
		{ErrUnpinned, "its executable is not the one that was installed: see sagasu plugin verify"},
		{fs.ErrNotExist, "a file that it needs is missing: sagasu doctor says which"},
		{ErrLongTemp, ErrLongTemp.Error()},
		{ErrNotInstalled, "it is not installed: see sagasu plugin install, or sync"},
		{ErrSuspended, "it failed again and again and is left out for a while"},
		{ErrBackoff, "it waits to be started again"},
		{ErrStarting, "it is still starting"},
		{wire.ErrForeign, "it was built for another format of the index: update it, or sagasu"},
		{wire.ErrOpening, "it is still preparing for the new index"},
		{wire.ErrGone, "its process ended"},
		{wire.ErrTooLarge, "its answer was too large"},
		{wire.ErrMalformed, "its answer was malformed"},
		{context.DeadlineExceeded, "it did not answer in time"},
	} {
		if errors.Is(f.Err, known.is) {
			return known.say
		}
	}
	return Unexplained
}

// Unexplained is the brief reason for a failure whose details are only in the log.
const Unexplained = "it failed, the log says why"
