package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sagasu-search/sagasu/framework/internal/app"
	"github.com/sagasu-search/sagasu/framework/internal/host"
	"github.com/sagasu-search/sagasu/framework/internal/host/check"
	"github.com/sagasu-search/sagasu/framework/internal/host/trust"
	"github.com/sagasu-search/sagasu/sdk"
)

func pluginCheckCommand(prog *program) *cobra.Command {
	var tried trust.Plugin
	var config string
	var samples []string
	c := &cobra.Command{
		Use:   "check PATH|NAME [-- ARGUMENT…]",
		Short: "Examine the executable of a strategy or a converter by the rules of the host",
		Long: `check starts an executable in any language as the host does, in its sandbox, and
says which rules it keeps and breaks, and why they matter: how it describes itself,
its answers on small corpora in English and Japanese, cancellation, calls side by
side, large messages, and what it does when the host dies. It measures starts,
searches and memory. Of a converter it examines what it makes of damaged, empty, large
and hostile files, and of those that --sample names. A bundled one is named as plugin ls
names it. It installs nothing, and ends with 1 when a rule is broken.`,
		Example: `  sagasu plugin check ./my-strategy
  sagasu plugin check ./my-converter --sample book.pdf
  sagasu plugin check html --sample page.html
  sagasu plugin check ./my-reranker --network tcp:443 --env API_KEY --json
  sagasu plugin check /usr/bin/python3 --network unix --read /usr --read $PWD -- $PWD/reranker.py`,
		Args: takes(1, anyNumber),
	}
	f := c.Flags()
	f.StringArrayVar(&samples, "sample", nil, "a document that the converter must be able to read; may be repeated")
	f.StringVar(&config, "config", "", "JSON to configure the strategy with")
	startFlags(f, &tried.Grants, &tried.Args)
	return reportCommand(c, "print the report as JSON", func(c *cobra.Command, args []string) (*check.Report, error) {
		path, before, err := prog.executable(args[0])
		if err != nil {
			return nil, err
		}
		tried.Path, tried.Args = path, slices.Concat(before, tried.Args, args[1:])
		if err := checkGrants(&tried.Grants); err != nil {
			return nil, err
		}
		if err := tried.AddInterpreters(); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err // a missing file is reported below
		}
		var settings json.RawMessage // nil for none
		if config != "" {
			if settings = json.RawMessage(config); !json.Valid(settings) {
				return nil, usageError{fmt.Errorf("--config is not JSON: %s", config)}
			}
		}
		documents := map[string][]byte{}
		for _, name := range samples {
			content, err := os.ReadFile(name)
			if err != nil {
				return nil, usageError{fmt.Errorf("--sample: %w", err)}
			}
			documents[filepath.Base(name)] = content
		}
		progress, done := stepProgress(c.ErrOrStderr())
		report, err := check.Run(c.Context(), host.Options{}, tried.Entry(settings), documents, progress)
		done()
		if err != nil {
			return nil, err
		}
		d := sdk.Description{Stage: report.Stage, Signals: report.Signals}
		if tried.Admit {
			d.Admitting = report.Admitting
		}
		if adds := admission(d, report.Admitting); adds != "" {
			report.Remarks = append(report.Remarks, adds)
		}
		if _, bundled := prog.strategies.Named(report.Name); bundled && before == nil {
			report.Remarks = append(report.Remarks, report.Name+" is bundled: take another name, or "+
				"sagasu plugin install refuses it")
		}
		return report, reportedIf(report.Broken > 0)
	}, printExamination)
}

// executable returns the path of an executable, given as such or as the name of a bundled or installed strategy or
// converter, and the arguments that come before its own. A path that does not exist is returned unchanged.
func (p *program) executable(named string) (path string, before []string, err error) {
	if _, err := os.Stat(named); !errors.Is(err, fs.ErrNotExist) {
		return named, nil, nil
	}
	if _, bundled := p.strategies.Named(named); bundled {
		own, err := os.Executable()
		return own, app.ServeArguments(named), err
	}
	w, err := p.load()
	if err != nil {
		return "", nil, err
	}
	if found, err := installed(w, []string{named}); err == nil {
		return found[0].Path, found[0].Args, nil
	}
	return named, nil, nil
}

// printExamination prints one line per rule, and more for a broken one.
func printExamination(w io.Writer, r *check.Report) error {
	s := styleFor(w)
	if r.Name != "" {
		fmt.Fprintf(w, "%s %s, %s: ", s.bold(plain(r.Name)), plain(r.Version), plain(string(r.Stage)))
	}
	fmt.Fprintln(w, s.path(r.Path))
	last := ""
	for _, f := range r.Findings {
		if f.Broken == "" {
			fmt.Fprintf(w, "  %s      %-14s %s\n", s.paint("32", "ok"), f.ID, s.faint(f.Text))
			continue
		}
		fmt.Fprintf(w, "  %s  %-14s %s\n", s.paint("1;31", "broken"), f.ID, f.Text)
		if f.Broken == last { // failing at once breaks many rules
			fmt.Fprintln(w, "          in the same way")
			continue
		}
		last = f.Broken
		for breach := range strings.SplitSeq(f.Broken, "\n") {
			fmt.Fprintf(w, "          %s\n", s.bold(plain(breach)))
		}
		fmt.Fprintf(w, "          %s\n", plain(f.Why))
	}
	for _, remark := range r.Remarks {
		fmt.Fprintf(w, "  note    %s\n", plain(remark))
	}
	_, err := fmt.Fprintf(w, "%s\n%s\n", examinedFigures(r), verdict(s, r))
	return err
}

// examinedFigures returns a line of what was measured.
func examinedFigures(r *check.Report) string {
	f, parts := r.Figures, []string{}
	if f.StartMS > 0 {
		parts = append(parts, fmt.Sprintf("start %.0f ms", f.StartMS))
	}
	if f.OpenMS >= 1 {
		parts = append(parts, fmt.Sprintf("open %.0f ms", f.OpenMS))
	}
	if f.SearchP50MS > 0 {
		parts = append(parts, fmt.Sprintf("search %.2f ms (95 %%: %.2f ms)", f.SearchP50MS, f.SearchP95MS))
	}
	if f.MemoryBytes > 0 {
		parts = append(parts, fmt.Sprintf("memory %.1f MB", float64(f.MemoryBytes)/1e6))
	}
	return strings.Join(append(parts, "sandbox: "+r.Sandbox), ", ")
}

func verdict(s style, r *check.Report) string {
	if r.Broken == 0 {
		return s.paint("32", fmt.Sprintf("kept: all %d rules", len(r.Findings)))
	}
	return s.paint("1;31", fmt.Sprintf("broken: %d of %d rules", r.Broken, len(r.Findings)))
}
