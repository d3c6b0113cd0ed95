package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/sagasu-search/sagasu/framework/internal/app"
	"github.com/sagasu-search/sagasu/framework/internal/convert/docimport"
	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/index"
	"github.com/sagasu-search/sagasu/framework/internal/manuals"
	"github.com/sagasu-search/sagasu/framework/internal/patents/gazette"
	"github.com/sagasu-search/sagasu/framework/internal/patents/publication"
	"github.com/sagasu-search/sagasu/framework/internal/rootfs"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/framework/internal/workspace"
)

func importPublications(prog *program) *cobra.Command {
	var out, format string
	var force bool
	c := &cobra.Command{
		Use:   "import FILE...",
		Short: "Import publications of patent offices, or documents into a manual",
		Long: `import reads publications of patent offices and writes them as one JSON Lines
file, which is what a collection is made of. It takes JSON Lines, JSON (a list, or
one object after the other) and the full-text XML of the US office since 2001 and
of Japanese gazettes, also many documents in one file, and zip archives of all of
these as they come. Records that cannot be read are reported with their line and the
reason, and the others are imported. An import that was interrupted continues when it is
called again.

Documents of a manual, such as PDF and HTML, are imported by sagasu import docs.`,
		Example: `  sagasu import ipa240215.zip ipg240220.xml --out publications/us.jsonl
  sagasu import JPG_2024001.ZIP --out publications/jp.jsonl
  sagasu import records.json --out publications/own.jsonl --json`,
		PreRunE: mayWrite(prog, "imported"),
	}
	c.AddCommand(importDocs(prog))
	c.Flags().StringVar(&out, "out", "", "the JSON Lines file to write")
	c.Flags().StringVar(&format, "format", string(gazette.Auto), "auto, jsonl, json or xml")
	c.Flags().BoolVar(&force, "force", false, "replace the file, and forget an import that was not finished")
	const usage = "print the report as JSON, with every refused record"
	return reportCommand(c, usage, func(c *cobra.Command, args []string) (r imported, err error) {
		if out == "" {
			return r, usageError{errors.New(
				"--out is missing: the JSON Lines file to write, such as publications/us.jsonl")}
		}
		if !slices.Contains(gazette.Formats, gazette.Format(format)) {
			return r, usageError{fmt.Errorf("--format is %q: it must be one of %s",
				format, strings.Trim(fmt.Sprint(gazette.Formats), "[]"))}
		}
		show, done := stepProgress(c.ErrOrStderr())
		progress := func(file string, n, of int64) { show(plain(filepath.Base(file)), int(n), int(of)) }
		report, err := gazette.Run(c.Context(), gazette.Options{
			Inputs: args, Output: out, Format: gazette.Format(format), Force: force, Progress: progress,
		})
		done()
		if err != nil {
			return r, err
		}
		r = imported{report, index.Span(report.Elapsed)}
		return r, reportedIf(r.Imported == 0)
	}, printImport)
}

type imported struct {
	gazette.Report
	ElapsedMS index.Span `json:"elapsed_ms"`
}

// meantField suggests the field of a publication that another name probably means.
func meantField(name string) string {
	near := toolset.DidYouMean(name, publication.Fields(), 2)
	if part := strings.ToLower(name); len(part) > 3 {
		for _, field := range publication.Fields() {
			if strings.Contains(field, part) && !slices.Contains(near, field) {
				near = append(near, field)
			}
		}
	}
	if len(near) == 0 {
		return ""
	}
	return "; did you mean " + strings.Join(near, " or ") + "?"
}

// shownRefusals is the maximum number of refused records printed for a human reader.
const shownRefusals = 20

func printImport(w io.Writer, r imported) error {
	for _, bad := range r.Refused[:min(len(r.Refused), shownRefusals)] {
		fmt.Fprintf(w, "refused %s:%d %s: %s\n", plain(bad.Source), bad.Line, plain(bad.ID), plain(bad.Reason))
	}
	if more := r.Count - shownRefusals; more > 0 {
		fmt.Fprintf(w, "and %d more, listed in %s\n", more, plain(r.Output+gazette.RefusedExt))
	}
	_, err := fmt.Fprintf(w, "wrote %s: %s, %s refused\n",
		plain(r.Output), toolset.Counted(r.Imported, "publication"), toolset.Counted(r.Count, "record"))
	for _, file := range r.Empty {
		_, err = fmt.Fprintf(w, "warning: no publications in %s\n", plain(file))
	}
	if r.Marked > 0 {
		_, err = fmt.Fprintf(w, "%s with characters whose entity is not known: they stand as its name in [], "+
			"and %s lists them\n", toolset.Counted(r.Marked, "publication"), gazette.UnknownEntities)
	}
	for _, name := range slices.Sorted(maps.Keys(r.Other)) {
		_, err = fmt.Fprintf(w, "warning: %q is no field: it is kept with %s, but neither searched nor filtered%s\n",
			name, toolset.Counted(r.Other[name], "publication"), meantField(name))
	}
	if r.Resumed {
		_, err = fmt.Fprintln(w, "the import went on where it had been ended")
	}
	return err
}

// shortestWait and, for each page, waitForPage are how long servers may take for a source.
const (
	shortestWait = 10 * time.Minute
	waitForPage  = 5 * time.Second
)

func importDocs(prog *program) *cobra.Command {
	var o docimport.Options
	var into string
	c := &cobra.Command{
		Use:   "docs SRC...",
		Short: "Write documents as text into a manual",
		Long: `docs converts documents and writes their text into a manual, which is made if it is
missing, with a record of where each came from: its path and hash, and the page,
anchor or sheet of its lines, which searches cite. Called again it writes what
changed and removes what is gone, but never what somebody edited. An import that
was interrupted continues.

A SRC is one of
  a file
  a folder; of the work tree of a git repository, what git tracks
  a zip archive
  the URL of a page
  the URL of an llms.txt, or such a file: the pages that it links to
  a file with a URL on each line

From the web nothing is read without a grant: --import-network names the hosts, with
their ports unless they are 80 or 443, and the addresses that are not public. What
robots.txt disallows is left out, and so is what lies on another host than the page
that leads there. Servers are asked for what changed, one page after the other.`,
		Example: `  sagasu import docs handbook.pdf terms.docx --into shop
  sagasu import docs ~/src/project/docs --into project --dry-run
  sagasu import docs manuals.zip --into shop --json
  sagasu import docs https://docs.example.com/llms.txt --into example --import-network docs.example.com
  sagasu import docs https://docs.example.com/guide/ --depth 2 --into example --import-network docs.example.com`,
	}
	c.PreRunE = func(c *cobra.Command, args []string) error {
		if o.DryRun {
			return nil
		}
		return mayWrite(prog, "imported")(c, args)
	}
	c.Flags().StringVar(&into, "into", "", "the `MANUAL` that the text is written into, by its id")
	completeFlag(c, "into", completeManual(prog, anyNumber))
	c.Flags().BoolVar(&o.DryRun, "dry-run", false, "write no text, and report what would be written")
	c.Flags().IntVar(&o.Depth, "depth", 0, "how far the links of pages are followed, `N` from 0 to 10; only to pages "+
		"below the folder of the one given")
	c.Flags().IntVar(&o.Limit, "limit", 500, "most pages that a SRC on the web may be, `N` from 1 to 100000")
	return reportCommand(c, "print the report as JSON",
		withApp(prog, func(ctx context.Context, a *app.App, args []string) (docimport.Report, error) {
			show, done := stepProgress(c.ErrOrStderr())
			defer done()
			o.Sources, o.Progress = args, func(_ string, n, of int) { show("importing", n, of) }
			return importInto(ctx, a, into, o)
		}), printImportedDocs)
}

func importInto(ctx context.Context, a *app.App, manual string, o docimport.Options) (r docimport.Report, err error) {
	if o.Depth < 0 || o.Depth > 10 {
		return r, usageError{fmt.Errorf("--depth is %d: it must be 0 to 10", o.Depth)}
	}
	if o.Limit < 1 || o.Limit > 100_000 {
		return r, usageError{fmt.Errorf("--limit is %d: it must be 1 to 100000", o.Limit)}
	}
	if o.Dir, err = manualFolder(ctx, a.Workspace, manual); err != nil {
		return r, err
	}
	o.Wait = shortestWait + time.Duration(o.Limit)*waitForPage
	o.Network = workspace.Of[manuals.Settings](a.Workspace).ImportNetwork
	if d := a.Workspace.Documents; d != nil {
		o.Documents = d
	}
	a.Unhurried()
	if r, err = docimport.Run(ctx, o); err != nil {
		return r, err
	}
	return r, reportedIf(len(r.Written)+len(r.Removed)+r.Unchanged == 0) // nothing could be imported
}

// manualFolder returns the folder of a manual, even if it does not exist yet.
func manualFolder(ctx context.Context, w *workspace.Workspace, id string) (string, error) {
	if id == "" {
		return "", usageError{errors.New("--into is missing: the manual that the text is written into, such as shop")}
	}
	all, err := w.Manuals(ctx)
	if err != nil {
		return "", err
	}
	for _, m := range all {
		if rootfs.Key(m.ID) == rootfs.Key(id) {
			return m.Dir, nil
		}
	}
	clean, bad := rootfs.Clean("into", id)
	if bad != nil || clean != id || filepath.Base(id) != id || corpus.LeftOut(id) {
		return "", usageError{fmt.Errorf("--into is %q: it must be the name of a manual, not a path", id)}
	}
	return w.NewManual(id)
}

func printImportedDocs(w io.Writer, r docimport.Report) error {
	wrote, removed, written, gone := "wrote", "removed", "written", "removed"
	if r.DryRun {
		wrote, removed, written, gone = "would write", "would remove", "to write", "to remove"
	}
	for _, name := range r.Written {
		fmt.Fprintf(w, "%s %s\n", wrote, plain(name))
	}
	for _, name := range r.Removed {
		fmt.Fprintf(w, "%s %s\n", removed, plain(name))
	}
	printSkipped(w, r.Skipped)
	_, err := fmt.Fprintf(w, "%s: %s %s, %d %s, %d unchanged, %d skipped or in part\n", plain(r.Dir),
		toolset.Counted(len(r.Written), "text"), written, len(r.Removed), gone, r.Unchanged,
		toolset.SkippedFiles(r.Skipped))
	return err
}
