package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/sagasu-search/sagasu/framework/internal/app"
	"github.com/sagasu-search/sagasu/framework/internal/index"
	"github.com/sagasu-search/sagasu/framework/internal/manuals"
	"github.com/sagasu-search/sagasu/framework/internal/patents"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// uploaded is the report of an upload.
type uploaded struct {
	*sdk.Uploaded
	ElapsedMS index.Span `json:"elapsed_ms"`
}

// uploader returns what fills the collection at a URL.
func uploader(
	strategies app.Strategies, to string,
) (func(context.Context, sdk.Upload) (*sdk.Uploaded, error), error) {
	scheme, _, _ := strings.Cut(to, "://")
	var known []string
	for _, e := range strategies {
		if slices.Contains(e.Schemes, scheme) {
			return e.Upload, nil
		}
		known = append(known, e.Schemes...)
	}
	return nil, usageError{fmt.Errorf("--to must be the URL of a collection that starts with one of %s://",
		strings.Join(known, "://, "))}
}

// upload brings a collection elsewhere to what the workspace holds of a kind.
func upload(
	ctx context.Context, a *app.App, up sdk.Upload, as snapshot.Kind, progress io.Writer,
) (out uploaded, err error) {
	fill, err := uploader(a.Strategies, up.To)
	if err != nil {
		return out, err
	}
	var view index.View
	switch as {
	case snapshot.KindManual:
		view, err = app.Module[*manuals.Module](a).Index().View(ctx, indexPatience)
	case snapshot.KindPublication:
		view, err = app.Module[*patents.Module](a).View(ctx, indexPatience)
	default:
		err = usageError{fmt.Errorf("--as is %q: it must be %s or %s", as, snapshot.KindManual,
			snapshot.KindPublication)}
	}
	if err != nil {
		return out, err
	}
	defer view.Release()
	if view.Snapshot.Live().IsEmpty() {
		return out, errors.New("there is nothing to upload: the workspace holds no section of that kind")
	}
	report, done := progressOf(progress, "")
	defer done()
	began := time.Now()
	up.Corpus, up.Progress = view.Snapshot, func(phase string, n, total int) {
		report(index.Progress{Phase: index.Phase(phase), Done: n, Total: total})
	}
	out.Uploaded, err = fill(ctx, up)
	if ctx.Err() != nil {
		fmt.Fprintln(progress, "what was sent stays: the same command goes on from there")
	}
	out.ElapsedMS = index.Span(time.Since(began))
	return out, err
}

func printUploaded(w io.Writer, r uploaded) error {
	took := time.Duration(r.ElapsedMS)
	_, err := fmt.Fprintf(w, "the collection holds %s: %d sent, %d deleted in %s (%.0f a second)\ngeneration %s\n",
		toolset.Counted(r.Sections, "section"), r.Sent, r.Deleted, took.Round(time.Millisecond),
		float64(r.Sent)/max(took.Seconds(), 0.001), r.Generation)
	return err
}
