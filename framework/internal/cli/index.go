package cli

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/sagasu-search/sagasu/framework/internal/app"
	"github.com/sagasu-search/sagasu/framework/internal/index"
	"github.com/sagasu-search/sagasu/framework/internal/logic"
	"github.com/sagasu-search/sagasu/framework/internal/manuals"
	"github.com/sagasu-search/sagasu/framework/internal/patents"
	"github.com/sagasu-search/sagasu/framework/internal/patents/publication"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

func indexCommand(prog *program) *cobra.Command {
	var asJSON, clean bool
	c := &cobra.Command{
		Use:   "index",
		Short: "Build the index anew, or clean up old ones",
		Long: `index reads every manual, every publication and the code and specifications that
questions on logic are about, and publishes new snapshots. It is never needed: a
search builds and refreshes its index by itself.`,
		Example: `  sagasu index --workspace testdata/workspace
  sagasu index --clean`,
		Args: exactly(0),
		RunE: func(c *cobra.Command, _ []string) error {
			a, err := open(c.Context(), prog, c.ErrOrStderr())
			if err != nil {
				return err
			}
			defer a.Close()
			if clean {
				return cleanIndexes(c.Context(), a, c.OutOrStdout(), asJSON)
			}
			report, err := app.Module[*manuals.Module](a).Build(c.Context())
			if err != nil {
				return err
			}
			publications, err := app.Module[*patents.Module](a).Build(c.Context())
			if err != nil {
				return err
			}
			repository, err := app.Module[*logic.Module](a).Build(c.Context())
			if err != nil {
				return err
			}
			if asJSON {
				return printJSON(c.OutOrStdout(), builtAll(report, publications, repository))
			}
			printBuild(c.OutOrStdout(), report)
			printPublications(c.OutOrStdout(), publications)
			printRepository(c.OutOrStdout(), repository)
			return nil
		},
	}
	c.Flags().BoolVar(&clean, "clean", false,
		"build nothing; remove the indexes of other workspaces and versions that no process uses")
	c.Flags().BoolVar(&asJSON, "json", false, "print the report as JSON")
	return c
}

func printBuild(w io.Writer, r *index.Report) {
	fmt.Fprintf(w, "indexed %d sections of %d files\n", r.Sections, r.Files)
	if r.Sections == 0 {
		fmt.Fprintln(w, "there is nothing to search; sagasu doctor says what the workspace lacks")
	}
	for _, s := range r.Skipped {
		fmt.Fprintf(w, "skipped %s/%s: %s\n", plain(s.ManualID), plain(s.Path), s.Reason)
	}
}

// printPublications prints the build of the collection, where there is one.
func printPublications(w io.Writer, r *index.Report) {
	if r == nil {
		return
	}
	fmt.Fprintf(w, "indexed %s of %s\n", toolset.Counted(r.Sections, "publication"), toolset.Counted(r.Files, "file"))
	for _, x := range r.Refused {
		fmt.Fprintf(w, "refused %s:%d %s: %s\n", plain(x.Source), x.Line, plain(x.ID), plain(x.Reason))
	}
	if more := r.RefusedCount - len(r.Refused); more > 0 {
		fmt.Fprintf(w, "refused %d more records of these files\n", more)
	}
	for _, s := range r.Skipped {
		fmt.Fprintf(w, "skipped %s: %s\n", plain(s.Path), s.Reason)
	}
}

// printRepository prints the build of code and specifications, where there are any.
func printRepository(w io.Writer, r *index.Report) {
	if r == nil {
		return
	}
	fmt.Fprintf(w, "indexed %d units of %d files of code and specifications\n", r.Sections, r.Files)
	for _, s := range r.Skipped {
		fmt.Fprintf(w, "skipped %s: %s\n", plain(s.Path), s.Reason)
	}
}

// cleanIndexes keeps the index of this workspace and removes the others.
func cleanIndexes(ctx context.Context, a *app.App, w io.Writer, asJSON bool) error {
	done, err := index.Clean(ctx, a.Workspace.CacheHome, a.IndexDirs(false)...)
	if err != nil {
		return err
	}
	if asJSON {
		return printJSON(w, cleaned(done))
	}
	_, err = fmt.Fprintf(w, "removed %d indexes, %.1f MB; %d are in use\n", len(done.Removed), float64(done.Bytes)/1e6,
		len(done.InUse))
	return err
}

// builtJSON is the machine-readable form of a build.
type builtJSON struct {
	Snapshot  string         `json:"snapshot"`
	Built     bool           `json:"built"`
	Sections  int            `json:"sections"`
	Files     int            `json:"files"`
	Bytes     int64          `json:"bytes"`
	DiskBytes int64          `json:"disk_bytes"`
	Skipped   []toolset.Skip `json:"skipped"`
	WalkMS    float64        `json:"walk_ms"`
	IndexMS   float64        `json:"index_ms"`
	WriteMS   float64        `json:"write_ms"`
	ElapsedMS float64        `json:"elapsed_ms"`
}

// builtAllJSON adds the collection of publications and the repository, where there are any.
type builtAllJSON struct {
	builtJSON
	Publications *collectionJSON `json:"publications,omitempty"`
	Repository   *builtJSON      `json:"repository,omitempty"`
}

// collectionJSON is a build with the records that were not taken.
type collectionJSON struct {
	builtJSON
	Refused      []publication.Refused `json:"refused"` // the first of each file
	RefusedCount int                   `json:"refused_count"`
}

func builtAll(manuals, publications, repository *index.Report) builtAllJSON {
	out := builtAllJSON{builtJSON: built(*manuals)}
	if repository != nil {
		one := built(*repository)
		out.Repository = &one
	}
	if publications != nil {
		out.Publications = &collectionJSON{built(*publications),
			append([]publication.Refused{}, publications.Refused...), publications.RefusedCount}
	}
	return out
}

func built(r index.Report) builtJSON {
	out := builtJSON{
		Snapshot: r.Snapshot, Built: r.Built, Sections: r.Sections, Files: r.Files, Bytes: r.Bytes,
		DiskBytes: r.DiskBytes,
		Skipped:   []toolset.Skip{}, WalkMS: inMS(r.Walk), IndexMS: inMS(r.Index), WriteMS: inMS(r.Write),
		ElapsedMS: inMS(r.Elapsed),
	}
	out.Skipped = append(out.Skipped, r.Skipped...)
	return out
}

func inMS(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// cleanedJSON is the machine-readable form of a cleaning.
type cleanedJSON struct {
	Removed []string `json:"removed"`
	InUse   []string `json:"in_use"`
	Bytes   int64    `json:"bytes"`
}

func cleaned(c index.Cleaned) cleanedJSON {
	return cleanedJSON{append([]string{}, c.Removed...), append([]string{}, c.InUse...), c.Bytes}
}
