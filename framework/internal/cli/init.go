package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sagasu-search/sagasu/framework/internal/app"
	clients "github.com/sagasu-search/sagasu/framework/internal/connect"
	"github.com/sagasu-search/sagasu/framework/internal/index"
	"github.com/sagasu-search/sagasu/framework/internal/manuals"
	"github.com/sagasu-search/sagasu/framework/internal/search"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/framework/internal/workspace"
	"github.com/sagasu-search/sagasu/sdk/x/guard"
)

// Scopes of sagasu init.
const (
	scopeUser    = "user"
	scopeProject = "project"
)

// initOptions are the flags of sagasu init.
type initOptions struct {
	only              []string
	scope             string
	yes, dryRun, undo bool
}

// initResult is the machine-readable form of what sagasu init did, or would do.
type initResult struct {
	Files  []initFile `json:"files"`
	DryRun bool       `json:"dry_run"`
	Proof  *proof     `json:"proof,omitempty"`
}

// initFile is the outcome for one client's configuration.
type initFile struct {
	Client string `json:"client"`
	Path   string `json:"path,omitempty"`
	Status string `json:"status"` // added, changed, undone, unchanged or failed
	Diff   string `json:"diff,omitempty"`
	Error  string `json:"error,omitempty"`

	title  string
	change clients.Change
}

// proof is the result of a first search.
type proof struct {
	Sections int    `json:"sections"`
	Files    int    `json:"files"`
	Query    string `json:"query,omitempty"`
	Place    string `json:"place,omitempty"` // of the first hit
	Snippet  string `json:"snippet,omitempty"`
	Error    string `json:"error,omitempty"` // why the search failed

	snippet search.Snippet
}

func initCommand(prog *program) *cobra.Command {
	o, names := initOptions{}, []string{}
	for _, client := range clients.Clients() {
		names = append(names, client.Name)
	}
	c := &cobra.Command{
		Use:   "init",
		Short: "Connect the MCP clients of this machine",
		Long: `init finds the MCP clients of this machine and adds the server to the configuration of
each, for this workspace: an entry sagasu, and nothing else of the file changes. It shows
the difference and asks before it writes. Then it indexes the workspace and searches for
one of its titles.

Clients: ` + strings.Join(names[:5], ", ") + `,
` + strings.Join(names[5:], ", ") + `. A client that --client names need not be found.

--scope project writes the files that a client reads in the workspace itself, such as
.mcp.json. --undo takes back what init wrote; an entry that was changed since stays. A
file that cannot be read as what it should be stays as it is, and init ends with 1.`,
		Example: `  sagasu init --client cursor --dry-run --workspace testdata/workspace
  sagasu init --workspace ~/docs
  sagasu init --client codex --client zed --yes --manuals ~/handbook
  sagasu init --undo`,
	}
	f := c.Flags()
	f.StringArrayVar(&o.only, "client", nil, "only this client `NAME`; may be repeated")
	f.StringVar(&o.scope, "scope", scopeUser, "whose configuration: user or project")
	f.BoolVar(&o.yes, "yes", false, "write without asking")
	f.BoolVar(&o.dryRun, "dry-run", false, "show the difference and write nothing")
	f.BoolVar(&o.undo, "undo", false, "take back what init wrote")
	completeFlag(c, "client", oneOf(names...))
	completeFlag(c, "scope", oneOf(scopeUser, scopeProject))
	c.PreRunE = func(c *cobra.Command, args []string) error {
		if o.scope != scopeProject || o.dryRun {
			return nil
		}
		return mayWrite(prog, "written")(c, args)
	}
	return reportCommand(c, "print what was done as JSON; needs --yes or --dry-run",
		func(c *cobra.Command, _ []string) (r initResult, err error) {
			if err := o.check(names, forMachine(c)); err != nil {
				return r, usageError{err}
			}
			return runInit(c, prog, o)
		}, printInit)
}

// check finds mistakes in the flags.
func (o initOptions) check(names []string, forMachine bool) error {
	for _, name := range o.only {
		if !slices.Contains(names, name) {
			return fmt.Errorf("--client is %q: it must be one of %s", name, strings.Join(names, ", "))
		}
	}
	switch {
	case o.scope != scopeUser && o.scope != scopeProject:
		return fmt.Errorf("--scope is %q: it must be user or project", o.scope)
	case o.yes && o.dryRun:
		return errors.New("--yes and --dry-run exclude each other")
	case !o.yes && !o.dryRun && (forMachine || !onTerminal(os.Stdin)):
		return errors.New("there is nobody to ask: --yes writes, --dry-run only shows the difference")
	}
	return nil
}

// runInit plans the edits, shows and writes them, and searches the workspace once.
func runInit(c *cobra.Command, prog *program, o initOptions) (r initResult, err error) {
	w, err := prog.load()
	if err != nil {
		return r, err
	}
	r.DryRun = o.dryRun
	if r.Files, err = planInit(prog, w, o); err != nil {
		return r, err
	}
	pending := 0
	for _, file := range r.Files {
		if file.Diff != "" {
			pending++
		}
	}
	if !forMachine(c) {
		printDiffs(c.OutOrStdout(), r.Files)
	}
	if pending > 0 && !o.dryRun {
		if !o.yes {
			yes, err := agreed(c, "Write "+toolset.Counted(pending, "file")+"?")
			if err != nil {
				return r, err
			}
			if !yes {
				return r, errors.New("nothing was written")
			}
		}
		for i := range r.Files {
			if file := &r.Files[i]; file.Diff != "" {
				if err := file.change.Apply(); err != nil {
					file.Status, file.Error = "failed", err.Error()
				}
			}
		}
	}
	failed := slices.ContainsFunc(r.Files, func(file initFile) bool { return file.Status == "failed" })
	if !o.dryRun && !o.undo {
		r.Proof, err = withApp(prog, prove)(c, nil)
		if err != nil { // what was written must be reported all the same
			r.Proof, failed = &proof{Error: surface(err)}, true
		}
	}
	return r, reportedIf(failed)
}

// planInit plans the edit of each client that is named or found.
func planInit(prog *program, w *workspace.Workspace, o initOptions) (files []initFile, err error) {
	configs := clients.Files{Machine: clients.Machine{OS: runtime.GOOS, Getenv: os.Getenv}, StateDir: w.StateHome}
	if o.scope == scopeProject {
		configs.Project = w.Root
	}
	entry, err := entryFor(prog, w)
	if err != nil && !o.undo {
		return nil, err
	}
	for _, client := range clients.Clients() {
		named := slices.Contains(o.only, client.Name)
		if !named && (o.only != nil || configs.Path(client) == "" || !o.undo && !configs.Machine.Has(client)) {
			continue
		}
		file := initFile{Client: client.Name, Path: configs.Path(client), Status: "unchanged", title: client.Title}
		plan, status := configs.Undo, "undone"
		if !o.undo {
			plan = func(c clients.Client) (clients.Change, error) { return configs.Merge(c, entry) }
		}
		if file.change, err = plan(client); err != nil {
			file.Status, file.Error = "failed", err.Error()
		} else if file.Path = file.change.Path; !file.change.Empty() {
			file.Diff = file.change.Diff()
			switch {
			case o.undo:
			case file.change.Adds():
				status = "added"
			default:
				status = "changed"
			}
			file.Status = status
		}
		if named || !o.undo || file.Status != "unchanged" {
			files = append(files, file)
		}
	}
	if files == nil && o.undo {
		return nil, errors.New("there is nothing to undo")
	}
	if files == nil {
		return nil, errors.New("no client was found; --client NAME writes the configuration of one nevertheless")
	}
	return files, nil
}

// entryFor returns the command that starts this program on the workspace.
func entryFor(prog *program, w *workspace.Workspace) (e clients.Entry, err error) {
	if e.Command, err = os.Executable(); err != nil {
		return e, err
	}
	if strings.Contains(filepath.ToSlash(e.Command), "/go-build") {
		return e, errors.New("go run starts a program that is gone afterwards: install it, by go install ./cmd/sagasu")
	}
	if inPath, err := exec.LookPath(filepath.Base(e.Command)); err == nil && sameFile(inPath, e.Command) {
		e.Command = inPath // a link there stays valid when its target changes
	}
	if e.Command, err = filepath.Abs(e.Command); err != nil {
		return e, err
	}
	e.Args = []string{"mcp", "--workspace", w.Root}
	for _, dir := range prog.Manuals {
		if dir, err = filepath.Abs(dir); err != nil {
			return e, err
		}
		e.Args = append(e.Args, "--manuals", dir)
	}
	return e, nil
}

func sameFile(a, b string) bool {
	first, _ := os.Stat(a)
	second, _ := os.Stat(b)
	return os.SameFile(first, second) // false if one cannot be read
}

// agreed asks the user a question. An interrupt counts as an answer.
func agreed(c *cobra.Command, question string) (bool, error) {
	fmt.Fprintf(c.ErrOrStderr(), "%s [y/N] ", question)
	said := make(chan string, 1)
	new(guard.Group).Go(func() error { // ends with the line, or with the program
		line, err := bufio.NewReader(c.InOrStdin()).ReadString('\n')
		if err != nil {
			line = ""
		}
		said <- strings.ToLower(strings.TrimSpace(line))
		return nil
	})
	select {
	case answer := <-said:
		return answer == "y" || answer == "yes", nil
	case <-c.Context().Done():
		return false, c.Context().Err()
	}
}

// prove indexes the workspace and searches for its first title.
func prove(ctx context.Context, a *app.App, _ []string) (*proof, error) {
	built, err := buildAll(ctx, a)
	if err != nil {
		return nil, err
	}
	m := app.Module[*manuals.Module](a)
	p := &proof{Sections: built.Sections, Files: built.Files}
	if p.Query, err = firstTitle(ctx, m); err != nil || p.Query == "" {
		return p, err
	}
	in, err := decode[manuals.FindArgs](arguments{"query": p.Query})
	if err != nil {
		return nil, err
	}
	answer, err := m.Find(ctx, in)
	if err != nil {
		return nil, err
	}
	page := toolset.Defaults[manuals.HitsArgs]()
	page.TraceID, page.Limit = answer.TraceID, 1
	r := &found{Answer: answer}
	if err := r.list(ctx, m, page); err != nil || len(r.Items) == 0 {
		return p, err
	}
	p.Place, p.snippet, p.Snippet = place("", r.Items[0].Ref), r.snippets[0], r.snippets[0].Text
	return p, nil
}

// firstTitle returns the first title of the manuals, or "" if there is none.
func firstTitle(ctx context.Context, m *manuals.Module) (string, error) {
	view, err := m.View(ctx, index.UntilComplete)
	if err != nil {
		return "", err
	}
	defer view.Release()
	for ids := view.Snapshot.Live().Iterator(); ids.HasNext(); {
		if section, ok := view.Snapshot.Section(ids.Next()); ok && strings.TrimSpace(section.Title) != "" {
			return strings.Clone(section.Title), nil
		}
	}
	return "", view.Snapshot.Err()
}

// printDiffs shows what will be written.
func printDiffs(w io.Writer, files []initFile) {
	s := styleFor(w)
	for _, file := range files {
		for line := range strings.Lines(file.Diff) {
			line = toolset.Harmless(strings.TrimRight(line, "\r\n"), "\t")
			switch line[:min(1, len(line))] {
			case "+":
				line = s.paint("32", line)
			case "-":
				line = s.paint("31", line)
			case "@":
				line = s.path(line)
			}
			fmt.Fprintln(w, line)
		}
	}
}

func printInit(w io.Writer, r initResult) error {
	s := styleFor(w)
	for _, file := range r.Files {
		status := file.Status
		if r.DryRun && file.Diff != "" {
			status = "would be " + status
		}
		line := s.bold(file.title) + ": " + status
		if file.Error != "" {
			line += ": " + plain(file.Error)
		} else {
			line += ": " + s.path(plain(file.Path))
		}
		fmt.Fprintln(w, line)
	}
	p := r.Proof
	if p == nil {
		return nil
	}
	if p.Error != "" {
		fmt.Fprintf(w, "the first search failed: %s\n", plain(p.Error))
		return nil
	}
	fmt.Fprintf(w, "indexed %d sections of %d files\n", p.Sections, p.Files)
	switch {
	case p.Sections == 0:
		fmt.Fprintln(w, "there is nothing to search; sagasu doctor says what the workspace lacks")
	case p.Place != "":
		fmt.Fprintf(w, "a search for %s finds %s\n", s.bold(plain(p.Query)), s.path(plain(p.Place)))
		if text := s.snippet(p.snippet); text != "" {
			fmt.Fprintf(w, "    %s\n", text)
		}
	}
	return nil
}
