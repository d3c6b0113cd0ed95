package manuals_test

import (
	"context"
	"strings"
	"testing"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/manuals"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// write puts files, by path below dir, into a temporary folder.
var write = manuals.WriteFiles

// library serves the manuals below a folder.
func library(dir string, change ...func(*manuals.Options)) *manuals.Library {
	options := manuals.Options{Manuals: func(context.Context) ([]corpus.Manual, error) { return corpus.Manuals(dir, nil) }}
	for _, c := range change {
		c(&options)
	}
	return manuals.New(options)
}

// one serves a manual "m" with the given files.
func one(t *testing.T, files map[string]string) *manuals.Library {
	t.Helper()
	within := map[string]string{}
	for name, content := range files {
		within["m/"+name] = content
	}
	return library(write(t, within))
}

// checked calls a tool's function with arguments as a call of the tool would have them.
func checked[A, R any](ctx context.Context, do func(context.Context, A) (R, error), args A) (result R, err error) {
	if args, err = toolset.Check(args); err != nil {
		return result, err
	}
	return do(ctx, args)
}

// wantFault checks the code of an error and the parameter it names.
func wantFault(t *testing.T, err error, code toolset.Code, parameter string) *toolset.Error {
	t.Helper()
	got := toolset.AsError(err)
	if err == nil || got.Code != code || got.Details["parameter"] != parameter {
		t.Errorf("got %v with %v, want %s of %s", err, got.Details, code, parameter)
	}
	return got
}

func lines(from, to int, prefix string) string {
	var all strings.Builder
	for i := from; i <= to; i++ {
		all.WriteString(prefix)
		all.WriteByte('\n')
	}
	return all.String()
}
