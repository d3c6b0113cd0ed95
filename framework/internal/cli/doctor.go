package cli

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/sagasu-search/sagasu/framework/internal/app"
	"github.com/sagasu-search/sagasu/framework/internal/doctor"
	"github.com/sagasu-search/sagasu/framework/internal/manuals"
	"github.com/sagasu-search/sagasu/framework/internal/patents"
	"github.com/sagasu-search/sagasu/framework/internal/vault"
	"github.com/sagasu-search/sagasu/sdk/x/dict"
)

func doctorCommand(prog *program) *cobra.Command {
	return reportCommand(&cobra.Command{
		Use:   "doctor",
		Short: "Examine the workspace, the index and the strategies",
		Long: `doctor says what is wrong and what to do, and shows what is in effect: roots,
settings and where each came from, the state of the index, files that are not
searched and why, and every strategy, which it starts and tries. It builds no
index and changes nothing. It ends with 1 when something is broken.`,
		Example: `  sagasu doctor --workspace testdata/workspace
  sagasu doctor --json`,
	}, "print the report as JSON", func(c *cobra.Command, _ []string) (*doctor.Report, error) {
		w, err := prog.load()
		if err != nil {
			return nil, err
		}
		own, _ := app.ReadDictionaries(w.Root)
		if own == nil { // the report says why
			own = &dict.Folder{}
		}
		a, err := app.OpenStrategies(w, own, openOptions(c.Context(), prog.strategies, c.ErrOrStderr()))
		if err != nil {
			return nil, misconfigured(err)
		}
		defer a.Close()
		report, err := examine(c.Context(), a)
		if err != nil {
			return nil, err
		}
		return report, reportedIf(report.Broken)
	}, printDiagnosis)
}

// examine opens what else is examined, which closes with the app.
func examine(ctx context.Context, a *app.App) (*doctor.Report, error) {
	a.Host.Warm()
	w, env := a.Workspace, a.Env()
	examined := doctor.Options{Workspace: w, Host: a.Host}
	searched, err := manuals.Open(ctx, env)
	if err != nil {
		return nil, err
	}
	a.Modules = append(a.Modules, searched)
	examined.Index = searched.Index()
	if examined.Vault, err = vault.OpenIndex(w); err != nil {
		return nil, err
	}
	if w.HasPublications() {
		publications, err := patents.Open(ctx, env)
		if err != nil {
			return nil, err
		}
		a.Modules = append(a.Modules, publications)
		examined.Lanes = publications.Lanes()
		if examined.Publications, err = publications.Index(); err != nil {
			return nil, err
		}
	}
	return doctor.Examine(ctx, examined)
}

func printDiagnosis(w io.Writer, r *doctor.Report) error {
	s := styleFor(w)
	printHints(w, s, r)
	t := table{w: w, style: s}
	t.begin("roots", "NAME", "PATH", "EXISTS", "FROM")
	for _, x := range r.Roots {
		t.row(x.Name, x.Path, yes(x.Exists), x.Origin)
	}
	t.begin("manuals", "ID", "FOLDER")
	for _, m := range r.Manuals {
		t.row(m.ID, m.Dir)
	}
	t.begin("index")
	t.row("folder", r.Index.Dir)
	if r.Index.Snapshot != "" {
		t.row("snapshot", r.Index.Snapshot+" of "+r.Index.Created.Local().Format(time.DateTime))
		t.row("holds", fmt.Sprintf("%d sections of %d files, %.1f MB", r.Index.Sections, r.Index.Files,
			float64(r.Index.DiskBytes)/1e6))
		t.row("up to date", yes(r.Index.Fresh))
	}
	printCollection(&t, r.Publications)
	t.begin("skipped files", "FILE", "WHY")
	for _, x := range r.Skipped {
		t.row(strconv.Quote(x.ManualID+"/"+x.Path), x.Reason)
	}
	t.begin("dictionaries", "FILE", "ENTRIES")
	for _, x := range r.Dictionaries {
		t.row(x.Name, strconv.Itoa(x.Entries))
	}
	printStrategies(&t, r)
	t.begin("settings", "NAME", "VALUE", "FROM")
	for _, x := range r.Settings {
		t.row(x.Name, x.Value, x.Origin)
	}
	return t.end()
}

// printCollection shows the publications, if there are any.
func printCollection(t *table, c *doctor.Collection) {
	if c == nil {
		return
	}
	t.begin("publications")
	t.row("folder of the index", c.Dir)
	if c.Snapshot == "" {
		return
	}
	t.row("snapshot", c.Snapshot+" of "+c.Created.Local().Format(time.DateTime))
	t.row("holds", fmt.Sprintf("%s of %s, %.1f MB", counted(c.Publications, "publication"), counted(c.Files, "file"),
		float64(c.DiskBytes)/1e6))
	t.row("published", c.FirstYear+" to "+c.LatestYear)
	for _, country := range slices.Sorted(maps.Keys(c.Countries)) {
		t.row("country "+country, strconv.Itoa(c.Countries[country]))
	}
	for _, kind := range slices.Sorted(maps.Keys(c.Codes)) {
		t.row("distinct "+kind+" codes", strconv.Itoa(c.Codes[kind]))
	}
	t.row("up to date", yes(c.Fresh))
	t.begin("refused records", "WHERE", "NUMBER", "WHY")
	for _, x := range c.Refused {
		t.row(fmt.Sprintf("%s:%d", strconv.Quote(x.Source), x.Line), plain(x.ID), plain(x.Reason))
	}
}

func printHints(w io.Writer, s style, r *doctor.Report) {
	if !r.Broken {
		fmt.Fprintln(w, s.paint("32", "everything works"))
	}
	for _, h := range r.Hints {
		mark := s.paint("33", "note")
		if h.Broken {
			mark = s.paint("1;31", "broken")
		}
		fmt.Fprintf(w, "%s: %s\n", mark, plain(h.What))
		if h.Do != "" {
			fmt.Fprintf(w, "    %s\n", plain(h.Do))
		}
	}
}

func printStrategies(t *table, r *doctor.Report) {
	t.begin("strategies", "NAME", "VERSION", "STAGE", "WEIGHT", "STATE", "PID", "START", "MEDIAN", "RESTARTS",
		"BREAKER", "EXECUTABLE")
	for _, x := range r.Strategies {
		path := x.Path
		if path == "" {
			path = "bundled"
		}
		t.row(x.Name, x.Version, string(x.Stage), strconv.FormatFloat(x.Weight, 'f', 2, 64), string(x.State),
			strconv.Itoa(x.PID),
			milliseconds(x.Starting), milliseconds(x.P50), strconv.Itoa(x.Restarts), string(x.Breaker), path)
	}
	t.begin("sandbox")
	t.row(r.Sandbox.String())
}

func yes(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

// milliseconds shows a duration; one that was not measured is a dash.
func milliseconds(d time.Duration) string {
	if d == 0 {
		return "-"
	}
	return fmt.Sprintf("%.1f ms", float64(d)/1e6)
}
