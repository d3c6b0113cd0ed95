package cli

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sagasu-search/sagasu/framework/internal/index"
	"github.com/sagasu-search/sagasu/framework/internal/patents/gazette"
	"github.com/sagasu-search/sagasu/framework/internal/patents/publication"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
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
these as they come. Records that cannot be read are told with their line and the reason
and cost nothing else. An import that was ended goes on where it was when it is
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
		progress := func(p gazette.Progress) {
			show(plain(filepath.Base(p.File)), int(p.Done), int(p.Total))
		}
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

// imported is the report of an import.
type imported struct {
	gazette.Report
	ElapsedMS index.Span `json:"elapsed_ms"`
}

// meantField says which field of a publication may be meant by another name.
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

// shownRefusals is how many refused records a person sees.
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
