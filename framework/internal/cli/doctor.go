package cli

import (
	"fmt"
	"io"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/sagasu-search/sagasu/framework/internal/app"
	"github.com/sagasu-search/sagasu/framework/internal/doctor"
	"github.com/sagasu-search/sagasu/framework/internal/host"
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
		report, err := app.Examine(c.Context(), prog.options(c.Context(), c.ErrOrStderr()))
		if err != nil {
			return nil, misconfigured(err)
		}
		return report, reportedIf(report.Broken)
	}, printDiagnosis)
}

func printDiagnosis(w io.Writer, r *doctor.Report) error {
	s := styleFor(w)
	printHints(w, s, r)
	t := table{w: w}
	t.begin("roots", "NAME", "PATH", "EXISTS", "FROM")
	for _, x := range r.Roots {
		t.row(x.Name, x.Path, doctor.Yes(x.Exists), x.Origin)
	}
	for _, x := range r.Tables {
		t.begin(x.Title, x.Header...)
		for _, row := range x.Rows {
			t.row(row...)
		}
	}
	t.begin("skipped files", "FILE", "WHY")
	for _, x := range r.Skipped {
		t.row(strconv.Quote(x.Place()), x.Reason)
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
	t.begin("strategies", "NAME", "VERSION", "STAGE", "STATE", "PID", "START", "MEDIAN", "RESTARTS", "BREAKER",
		"EXECUTABLE")
	for _, x := range r.Strategies {
		path := x.Path
		switch {
		case x.State == host.StateRefused:
			path = "-"
		case path == "":
			path = "bundled"
		}
		t.row(x.Name, x.Version, string(x.Stage), string(x.State), strconv.Itoa(x.PID),
			milliseconds(x.Starting), milliseconds(x.P50), strconv.Itoa(x.Restarts), string(x.Breaker), path)
	}
	t.begin("sandbox")
	t.row(r.Sandbox.String())
}

// milliseconds shows a duration; a dash means that it was not measured.
func milliseconds(d time.Duration) string {
	if d == 0 {
		return "-"
	}
	return fmt.Sprintf("%.1f ms", float64(d)/1e6)
}
