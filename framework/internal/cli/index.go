package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/sagasu-search/sagasu/framework/internal/app"
	"github.com/sagasu-search/sagasu/framework/internal/index"
	"github.com/sagasu-search/sagasu/framework/internal/logic"
	"github.com/sagasu-search/sagasu/framework/internal/manuals"
	"github.com/sagasu-search/sagasu/framework/internal/patents"
	"github.com/sagasu-search/sagasu/framework/internal/patents/publication"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

func indexCommand(prog *program) *cobra.Command {
	c := &cobra.Command{
		Use:   "index",
		Short: "Build the index anew, or clean up old ones",
		Long: `index reads every manual, every publication and the code and specifications that
questions on logic are about, and publishes new snapshots. With a model for
embeddings it waits for the vectors of all sections of manuals. It is never needed:
a search builds and refreshes its index by itself.

With --to it fills a collection in an engine that a cluster of machines runs, which
any number of servers search. Only what changed is sent, so it may be called after
each change, and goes on where it was after an interruption. With a model for
embeddings it sends vectors as well. A key for the engine comes from
COLLECTION_API_KEY in the environment. What is read are files, whatever
COLLECTION_URL is.`,
		Example: `  sagasu index --workspace testdata/workspace
  sagasu index --to weaviate://localhost:8080/manuals
  sagasu index --to weaviates://a,b,c/publications --as publication
  sagasu index --clean`,
	}
	to := c.Flags().String("to", "", "bring the collection at this `URL` to what the workspace holds")
	as := c.Flags().String("as", string(snapshot.KindManual), "with --to: upload the manual or publication sections")
	replace := c.Flags().Bool("replace", false, "with --to: also where nothing that the collection holds would stay")
	clean := c.Flags().Bool("clean", false,
		"build nothing; remove the indexes of other workspaces and versions that no process uses")
	c.PreRunE = func(c *cobra.Command, args []string) error {
		if !*clean {
			prog.Unset = []string{"COLLECTION_URL"} // only files are read, and the collection may not be filled yet
		}
		if *to == "" {
			return nil
		}
		return mayWrite(prog, "uploaded")(c, args)
	}
	return reportCommand(c, "print the report as JSON",
		withApp(prog, func(ctx context.Context, a *app.App, _ []string) (any, error) {
			if *clean {
				return index.Clean(ctx, a.Workspace.CacheHome, a.IndexDirs(false)...)
			}
			a.Unhurried()
			if *to != "" {
				return upload(ctx, a, sdk.Upload{To: *to, Replace: *replace}, snapshot.Kind(*as), c.ErrOrStderr())
			}
			return buildAll(ctx, a)
		}), func(w io.Writer, done any) error {
			if sent, ok := done.(uploaded); ok {
				return printUploaded(w, sent)
			}
			if removed, ok := done.(index.Cleaned); ok {
				_, err := fmt.Fprintf(w, "removed %s of indexes, %.1f MB; %d %s in use\n",
					toolset.Counted(len(removed.Removed), "folder"), float64(removed.Bytes)/1e6,
					len(removed.InUse), toolset.Are(len(removed.InUse)))
				return err
			}
			return printBuilt(w, done.(*built))
		})
}

// built is a build of the manuals, of the collection of publications and of the repository, as far as they exist.
type built struct {
	*index.Report
	Publications *records      `json:"publications,omitempty"`
	Repository   *index.Report `json:"repository,omitempty"`
	Warnings     []string      `json:"warnings,omitempty"` // of strategies that lack data for the manuals
}

// records is a build with the records that were refused.
type records struct {
	*index.Report
	Refused      []publication.Refused `json:"refused"` // the first of each file
	RefusedCount int                   `json:"refused_count"`
}

func buildAll(ctx context.Context, a *app.App) (*built, error) {
	out := &built{}
	var err error
	if out.Report, err = app.Module[*manuals.Module](a).Build(ctx); err != nil {
		return nil, err
	}
	if out.Warnings, err = complete(ctx, a); err != nil {
		return nil, err
	}
	publications, err := app.Module[*patents.Module](a).Build(ctx)
	if err != nil {
		return nil, err
	}
	if publications != nil {
		out.Publications = &records{publications, append([]publication.Refused{}, publications.Refused...),
			publications.RefusedCount}
	}
	out.Repository, err = app.Module[*logic.Module](a).Build(ctx)
	return out, err
}

// complete lets strategies make the data that they lack for the manuals, and returns why some could not.
func complete(ctx context.Context, a *app.App) (warnings []string, err error) {
	view, err := app.Module[*manuals.Module](a).Index().View(ctx, index.UntilComplete)
	if err != nil {
		return nil, err
	}
	defer view.Release()
	if view.Snapshot.Live().IsEmpty() {
		return nil, ctx.Err()
	}
	for _, failed := range a.Complete(ctx, view.Snapshot) {
		warnings = append(warnings, failed.Error())
	}
	return warnings, ctx.Err()
}

func printBuilt(w io.Writer, r *built) error {
	if r.Files > 0 || r.Publications == nil {
		fmt.Fprintf(w, "indexed %d sections of %d files\n", r.Sections, r.Files)
	}
	if r.Sections == 0 && r.Publications == nil {
		fmt.Fprintln(w, "there is nothing to search; sagasu doctor says what the workspace lacks")
	}
	printSkipped(w, r.Skipped)
	if err := printWarnings(w, r.Warnings); err != nil {
		return err
	}
	if p := r.Publications; p != nil {
		fmt.Fprintf(w, "indexed %s of %s\n",
			toolset.Counted(p.Sections, "publication"), toolset.Counted(p.Files, "file"))
		for _, x := range p.Refused {
			fmt.Fprintf(w, "refused %s:%d %s: %s\n", plain(x.Source), x.Line, plain(x.ID), plain(x.Reason))
		}
		if more := p.RefusedCount - len(p.Refused); more > 0 {
			fmt.Fprintf(w, "refused %d more records of these files\n", more)
		}
		printSkipped(w, p.Skipped)
	}
	if r.Repository != nil {
		fmt.Fprintf(w, "indexed %d units of %d files of code and specifications\n", r.Repository.Sections,
			r.Repository.Files)
		printSkipped(w, r.Repository.Skipped)
	}
	return nil
}

type uploaded struct {
	*sdk.Uploaded
	ElapsedMS index.Span `json:"elapsed_ms"`
}

// uploader returns the uploader for the collection at a URL.
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

// upload updates an external collection to the workspace's state of one kind.
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
		view, err = app.Module[*manuals.Module](a).Index().View(ctx, index.UntilComplete)
	case snapshot.KindPublication:
		view, err = app.Module[*patents.Module](a).View(ctx, index.UntilComplete)
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
	if as == snapshot.KindPublication {
		const note = "note: no tool searches a collection of publications yet: those of publications read files"
		fmt.Fprintln(progress, note)
	}
	if up.Stored, err = a.Stored(ctx, view.Snapshot); err != nil {
		return out, err
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
