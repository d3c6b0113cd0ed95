package cli

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/sagasu-search/sagasu/framework/internal/index"
	"github.com/sagasu-search/sagasu/framework/internal/vault"
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
			report, err := a.buildIndex(c.Context())
			if err != nil {
				return err
			}
			publications, err := a.publications.build(c.Context())
			if err != nil {
				return err
			}
			repository, err := a.logic.build(c.Context())
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
	c.Flags().BoolVar(&clean, "clean", false, "build nothing; remove the indexes of other workspaces and versions that no process uses")
	c.Flags().BoolVar(&asJSON, "json", false, "print the report as JSON")
	return c
}

func printBuild(w io.Writer, r index.Report) {
	fmt.Fprintf(w, "indexed %d sections of %d files\n", r.Sections, r.Files)
	if r.Sections == 0 {
		fmt.Fprintln(w, "there is nothing to search; sagasu doctor says what the workspace lacks")
	}
	for _, s := range r.Skipped {
		fmt.Fprintf(w, "skipped %s/%s: %s\n", plain(s.ManualID), plain(s.Path), s.Reason)
	}
}

// printPublications tells of the collection, where there is one.
func printPublications(w io.Writer, r *index.Report) {
	if r == nil {
		return
	}
	fmt.Fprintf(w, "indexed %s of %s\n", counted(r.Sections, "publication"), counted(r.Files, "file"))
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

// printRepository tells of code and specifications, where there are any.
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
func cleanIndexes(ctx context.Context, a *app, w io.Writer, asJSON bool) error {
	done, err := index.Clean(ctx, a.workspace.CacheHome, append(vault.IndexDirs(a.workspace), a.indexDir(), a.publications.dir, a.logic.dir)...)
	if err != nil {
		return err
	}
	if asJSON {
		return printJSON(w, cleaned(done))
	}
	_, err = fmt.Fprintf(w, "removed %d indexes, %.1f MB; %d are in use\n", len(done.Removed), float64(done.Bytes)/1e6, len(done.InUse))
	return err
}
