package cli

import (
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sagasu-search/sagasu/framework/internal/rootfs"
	"github.com/sagasu-search/sagasu/framework/internal/search"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/framework/internal/vault"
)

func vaultCommand(prog *program) *cobra.Command {
	c := &cobra.Command{
		Use:   "vault",
		Short: "Look into the vault, check it, and bring back what was overwritten",
		Long: `The vault is the folder where finished work is kept: vault/ in the workspace, or
VAULT_ROOT. Agents write it; what they overwrite is kept as history, bounded by
VAULT_HISTORY_MAX_MB.`,
		Args: noSuchCommand,
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(vaultLsCommand(prog), vaultReadCommand(prog), vaultFindCommand(prog), vaultSearchCommand(prog),
		vaultLogCommand(prog), vaultShowCommand(prog), vaultRestoreCommand(prog),
		vaultAuditCommand(prog))
	return c
}

func vaultLsCommand(prog *program) *cobra.Command {
	var all bool
	c := &cobra.Command{
		Use:               "ls [DIR]",
		Short:             "List one folder of the vault",
		Example:           `  sagasu vault ls artifacts --vault-root testdata/vault`,
		Args:              takes(0, 1),
		ValidArgsFunction: completeVault(prog),
	}
	c.Flags().BoolVar(&all, "system", false, "list what is reserved, too")
	return vaultToolCommand(prog, c, "vault_ls", func(args []string) (map[string]any, error) {
		named := map[string]any{"include_system": all}
		if len(args) == 1 {
			named["relative_dir"] = args[0]
		}
		return named, nil
	}, func(w io.Writer, result any) {
		for _, e := range result.(*vault.Listing).Entries {
			size := ""
			if e.Bytes != nil {
				size = strconv.FormatInt(*e.Bytes, 10)
			}
			fmt.Fprintf(w, "%-4s  %10s  %s\n", e.Type, size, plain(e.Path))
		}
	})
}

// lineRange is lines as they are given behind a path, N-M or N.
var lineRange = regexp.MustCompile(`^(.+):([0-9]+)(?:-([0-9]+))?$`)

func vaultReadCommand(prog *program) *cobra.Command {
	c := &cobra.Command{
		Use:   "read PATH[:FIRST[-LAST]]",
		Short: "Print a file of the vault, or some of its lines",
		Example: `  sagasu vault read artifacts/nas-checklist.md --vault-root testdata/vault
  sagasu vault read artifacts/nas-checklist.md:1-5 --json --vault-root testdata/vault`,
		Args:              exactly(1),
		ValidArgsFunction: completeVault(prog),
	}
	return vaultToolCommand(prog, c, "vault_read", func(args []string) (map[string]any, error) {
		m := lineRange.FindStringSubmatch(args[0])
		if m == nil {
			return map[string]any{"path": args[0], "full": true}, nil
		}
		first, err := strconv.Atoi(m[2])
		last := first
		if err == nil && m[3] != "" {
			last, err = strconv.Atoi(m[3])
		}
		if err != nil {
			return nil, fmt.Errorf("%q names no lines", args[0])
		}
		return map[string]any{"path": m[1], "range": map[string]any{"start_line": first, "end_line": last}}, nil
	}, func(w io.Writer, result any) {
		r := result.(*vault.Reading)
		fmt.Fprint(w, r.Text)
		if r.TruncatedReason == "hard_limit" {
			fmt.Fprintf(c.ErrOrStderr(), "cut; line %d and what follows are in the file\n", *r.NextOffset.StartLine)
		}
	})
}

func vaultSearchCommand(prog *program) *cobra.Command {
	var mode, glob, dir string
	var limit int
	c := &cobra.Command{
		Use:   "search QUERY",
		Short: "List the lines of the vault that match",
		Example: `  sagasu vault search "RAID ?[56]" --vault-root testdata/vault
  sagasu vault search "raid5" --mode loose --glob "*.md"`,
		Args:              exactly(1),
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	f := c.Flags()
	f.StringVar(&mode, "mode", vault.ModeRegex, "regex, plain or loose")
	f.StringVar(&glob, "glob", "", "only files that match `PATTERN`, such as *.md or !artifacts/daily/**")
	f.StringVar(&dir, "dir", "", "only below `DIR`")
	f.IntVarP(&limit, "limit", "n", 50, "lines to print")
	completeFlag(c, "mode", cobra.FixedCompletions([]string{vault.ModeRegex, vault.ModePlain, vault.ModeLoose}, cobra.ShellCompDirectiveNoFileComp))
	completeFlag(c, "dir", completeVault(prog))
	return vaultToolCommand(prog, c, "vault_search", func(args []string) (map[string]any, error) {
		named := map[string]any{"query": args[0], "mode": mode, "limit": limit}
		given(named, "glob", glob)
		given(named, "relative_dir", dir)
		return named, nil
	}, func(w io.Writer, result any) {
		s, r := styleFor(w), result.(*vault.SearchResult)
		for _, x := range r.Results {
			fmt.Fprintf(w, "%s  %s\n", s.path(plain(fmt.Sprintf("%s:%d", x.Path, x.Line))), plain(x.Snippet))
		}
		fmt.Fprintf(w, "%d of %d lines\n", len(r.Results), r.Total)
	})
}

// given sets a text that is not empty.
func given(named map[string]any, name, text string) {
	if text != "" {
		named[name] = text
	}
}

func vaultFindCommand(prog *program) *cobra.Command {
	var glob, dir string
	var limit int
	var asJSON bool
	c := &cobra.Command{
		Use:   "find QUERY...",
		Short: "Search the vault, ranked",
		Example: `  sagasu vault find "RAID" --vault-root testdata/vault
  sagasu vault find "保証" --glob "!artifacts/daily/**" --json`,
		Args:              takes(1, anyNumber),
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(c *cobra.Command, args []string) error {
			if limit < 1 {
				return usageError{fmt.Errorf("--limit must be 1 or more")}
			}
			a, err := openWithVault(c, prog)
			if err != nil {
				return err
			}
			defer a.Close()
			req := toolset.Defaults[vault.FindArgs]()
			req.Query, req.Scope = strings.Join(args, " "), vault.FindScope{Dir: rootfs.Path(dir), Glob: glob}
			answer, err := a.vault.finder.Find(c.Context(), req)
			if err != nil {
				return err
			}
			hits, err := a.vault.finder.Hits(c.Context(), vault.HitsArgs{TraceID: answer.TraceID, Kind: "candidates", Limit: limit})
			if err != nil {
				return err
			}
			if asJSON {
				return printJSON(c.OutOrStdout(), vaultFound{answer, hits.Items})
			}
			return printVaultFound(c.OutOrStdout(), answer, hits)
		},
	}
	f := c.Flags()
	f.StringVar(&glob, "glob", "", "only files that match `PATTERN`, such as *.md or !artifacts/daily/**")
	f.StringVar(&dir, "dir", "", "only below `DIR`")
	f.IntVarP(&limit, "limit", "n", 10, "rows to print")
	f.BoolVar(&asJSON, "json", false, "print the answer and its rows as JSON")
	completeFlag(c, "dir", completeVault(prog))
	return c
}

// vaultFound is the machine-readable form of a search.
type vaultFound struct {
	*vault.FindResult
	Items []search.Row `json:"items"`
}

func printVaultFound(w io.Writer, answer *vault.FindResult, hits *vault.HitsResult) error {
	s := styleFor(w)
	for i, row := range hits.Items {
		where := fmt.Sprintf("%s:%d-%d", row.Ref.Path, row.Ref.StartLine, row.Ref.EndLine)
		fmt.Fprintf(w, "%2d. %s  %s  %s\n", i+1, s.path(plain(where)), s.bold(plain(row.Ref.Title)), s.faint(fmt.Sprintf("%.3f", *row.Score)))
	}
	for _, warning := range answer.Summary.Warnings {
		fmt.Fprintln(w, "warning:", warning)
	}
	_, err := fmt.Fprintf(w, "%d candidates in %d files: %s\n", answer.Summary.Candidates, answer.Summary.ScannedFiles,
		strings.ReplaceAll(answer.Summary.IntegrationStatus, "_", " "))
	return err
}
