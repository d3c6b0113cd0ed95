package cli

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/sagasu-search/sagasu/framework/internal/app"
	"github.com/sagasu-search/sagasu/framework/internal/index"
	"github.com/sagasu-search/sagasu/framework/internal/logic"
	"github.com/sagasu-search/sagasu/framework/internal/logic/answer"
	"github.com/sagasu-search/sagasu/framework/internal/logic/evidence"
	"github.com/sagasu-search/sagasu/framework/internal/logic/mismatch"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// askOptions are the flags of sagasu ask.
type askOptions struct {
	evidence   string // a file, "-" for standard input, "" to search for it
	mismatches bool
}

func askCommand(prog *program) *cobra.Command {
	var o askOptions
	c := &cobra.Command{
		Use:   "ask QUESTION... | --mismatches",
		Short: "Ask what a backend's code and specifications say",
		Long: `ask finds the lines of code and specifications that decide a question on business
logic (conditions, failures, limits) and answers from them alone: every statement
stands above its lines. What the evidence leaves open is listed as unknown. It ends
with 1 when there is no answer.

The files are those below LOGIC_ROOT that LOGIC_CODE_GLOBS, LOGIC_SPEC_GLOBS and
LOGIC_CHANGE_GLOBS name: backend/, openspec/specs/ and openspec/changes/*/specs/ in
the workspace when not set.

With --evidence it does not search: FILE (- for standard input) holds what
find_logic_evidence gave, or the array of evidence alone.

With --mismatches it lists where code contradicts specifications, each side with the
age of its line where git knows it, and ends with 1 when there is such a place, with 0
when there is none, and with 3 when nothing was compared: there is no code or no
specification, or no setting that a specification gives a default has one in code.
It says what was read and how many pairs of values were compared. Open changes that
contradict main specifications are listed, too, and are no failure.`,
		Example: `  sagasu ask "いつアカウントはロックされますか" --workspace testdata/logic/repo
  sagasu ask "When is an upload refused?" --workspace testdata/logic/repo --json
  sagasu ask "When is an upload refused?" --evidence found.json
  sagasu ask --mismatches --logic-code-globs "src/**" --logic-spec-globs "docs/spec/**"`,
		Args:              o.check,
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	f := c.Flags()
	f.StringVar(&o.evidence, "evidence", "", "answer from the evidence in this `FILE`, - for standard input")
	f.BoolVar(&o.mismatches, "mismatches", false, "list where code contradicts specifications")
	f.Bool("json", false, "print the answer, or the list, as JSON")
	question := bind[logic.FindArgs](c, func(line []string, into arguments) error {
		into.set("scope", logic.Backend)
		return joined("question")(line, into)
	}, "max-evidence,n")
	c.RunE = func(c *cobra.Command, args []string) error {
		a, err := open(c.Context(), prog, c.ErrOrStderr())
		if err != nil {
			return err
		}
		defer a.Close()
		if o.mismatches {
			return listMismatches(c, a)
		}
		find, err := question(args)
		if err != nil {
			return err
		}
		return runAsk(c, a, find, o)
	}
	return c
}

// check refuses arguments and flags that exclude each other.
func (o *askOptions) check(c *cobra.Command, args []string) error {
	given, limited := c.Flags().Changed("evidence"), c.Flags().Changed("max-evidence")
	switch {
	case o.mismatches && len(args) > 0:
		return usageError{fmt.Errorf("--mismatches takes no question such as %q", args[0])}
	case o.mismatches && (given || limited):
		return usageError{errors.New("--mismatches compares everything: it takes no --evidence and no --max-evidence")}
	case given && limited:
		return usageError{errors.New("--max-evidence is about the search, which --evidence does without")}
	case o.mismatches:
		return nil
	}
	return takes(1, anyNumber)(c, args)
}

// logicReply is the machine-readable form of an answer.
type logicReply struct {
	answer.Answer
	Found *evidence.Found `json:"found,omitempty"` // what the answer was read from, if it was searched for
}

// runAsk searches for evidence, unless it is given, and answers from it.
func runAsk(c *cobra.Command, a *app.App, find logic.FindArgs, o askOptions) (err error) {
	var result logicReply
	asked, m := logic.AskArgs{Question: find.Question}, app.Module[*logic.Module](a)
	if o.evidence != "" {
		if asked, err = readEvidence(c.InOrStdin(), o.evidence, find.Question); err != nil {
			return err
		}
	} else {
		found, err := m.Find(c.Context(), find)
		if err != nil {
			return toolset.Explain(err)
		}
		result.Found, asked.Evidence = &found, found.Evidence
	}
	if result.Answer, err = m.Ask(c.Context(), asked); err != nil {
		return toolset.Explain(err)
	}
	err = printResult(c, result, printAsked)
	return cmp.Or(err, reportedIf(result.Status != answer.OK))
}

// maxEvidenceBytes is the maximum size of a file of evidence.
const maxEvidenceBytes = 1 << 20

// readEvidence reads the array of evidence, on its own or within the result of find_logic_evidence.
func readEvidence(in io.Reader, name, question string) (asked logic.AskArgs, err error) {
	raw, err := readArgument(in, name, maxEvidenceBytes)
	if err != nil {
		return asked, err
	}
	var found struct{ Evidence json.RawMessage }
	if bytes.HasPrefix(bytes.TrimSpace(raw), []byte("[")) && json.Valid(raw) {
		found.Evidence = raw
	} else if json.Unmarshal(raw, &found) != nil || found.Evidence == nil {
		return asked, fmt.Errorf("%s holds no evidence: give the JSON of find_logic_evidence, or its array of evidence",
			name)
	}
	return decode[logic.AskArgs](arguments{"question": question, "evidence": found.Evidence})
}

// reasons explains those codes of an answer that are not self-explanatory.
var reasons = map[string]string{
	"low_relevance":    "no evidence has a relevance of .7 or more",
	"no_evidence":      "nothing was found",
	"no_code_evidence": "specifications alone were found",
	"answerer_failed":  "the chat model gave no answer, so the lines are shown as they are",
	"unbacked":         "the chat model said so, and no line does",
	"stale":            "the line is gone or reads otherwise",
	"unparsed":         "not read, or not to the end: no text, over 2 MiB, or brackets that do not match",
	"no_code_match":    "no code is about the question",
	"no_spec_match":    "no specification is about the question",
	"budget":           "more was found than fits",
}

// printReasons prints codes with their explanations, those of one kind on one line.
func printReasons(w io.Writer, what string, codes []string) {
	for len(codes) > 0 {
		kind, _, _ := strings.Cut(codes[0], ":")
		n := 1
		for n < len(codes) && strings.HasPrefix(codes[n], kind+":") {
			n++
		}
		said := strings.ReplaceAll(strings.Join(codes[:n], ", "), ", "+kind+":", ", ")
		if meaning := reasons[kind]; meaning != "" {
			said += " (" + meaning + ")"
		}
		fmt.Fprintf(w, "%s: %s\n", what, plain(said))
		codes = codes[n:]
	}
}

// printAsked prints each statement above its lines, then what the evidence leaves open.
func printAsked(w io.Writer, r logicReply) error {
	s := styleFor(w)
	for statement := range strings.SplitSeq(r.Answer.Answer, "\n") {
		fmt.Fprintln(w, plain(statement))
		for _, g := range r.Evidence {
			if g.Claim == statement && g.Line != nil {
				fmt.Fprintf(w, "    %s\n", s.line(g.Path, int(*g.Line)))
			}
		}
	}
	if r.Status == answer.OK {
		fmt.Fprintln(w, s.faint(fmt.Sprintf("confidence %.2f", r.Confidence)))
	}
	printReasons(w, "unknown", r.Unknowns)
	if r.Found == nil {
		return nil
	}
	printReasons(w, "not covered", r.Found.UnresolvedReasons)
	return nil
}

// listMismatches prints all contradictions of the repository. It fails if code contradicts a specification, or if
// nothing was compared.
func listMismatches(c *cobra.Command, a *app.App) error {
	report, done := progressOf(c.ErrOrStderr(), "comparing: ")
	found, err := app.Module[*logic.Module](a).Mismatches(c.Context(), func(n, total int) {
		report(index.Progress{Phase: "files", Done: n, Total: total})
	})
	done()
	if err != nil {
		return err
	}
	err = printResult(c, found, printMismatches)
	if err == nil && found.NothingCompared != "" {
		return errNothing
	}
	return cmp.Or(err, reportedIf(len(found.Mismatches) > 0))
}

func printMismatches(w io.Writer, all logic.Mismatches) error {
	s := styleFor(w)
	for _, m := range all.Mismatches {
		printContradiction(w, s, "code", m)
	}
	for _, m := range all.SpecConflicts {
		printContradiction(w, s, "change", m)
	}
	printReasons(w, "not covered", all.Unparsed)
	if all.AgesUnknown != "" {
		fmt.Fprintln(w, "ages unknown:", plain(all.AgesUnknown))
	}
	oldest := ""
	if all.OldestOpenDays != nil {
		oldest = fmt.Sprintf("; the oldest stands for %d days", *all.OldestOpenDays)
	}
	fmt.Fprintf(w, "read %d requirements and %d scenarios with %d values in %d main specifications and %d of open "+
		"changes, %d values in %d files of code\n", all.Requirements, all.Scenarios, all.SpecValues,
		all.Files.MainSpecs, all.Files.ChangeSpecs, all.CodeValues, all.Files.Code)
	if all.NothingCompared != "" {
		fmt.Fprintln(w, "nothing was compared, so this says nothing of agreement:", plain(all.NothingCompared))
	}
	_, err := fmt.Fprintf(w, "%d pairs compared: %d mismatches, %d conflicts of open changes%s\n",
		all.Pairs, len(all.Mismatches), len(all.SpecConflicts), oldest)
	return err
}

func printContradiction(w io.Writer, s style, has string, m mismatch.Contradiction) {
	fmt.Fprintln(w, s.bold(m.What))
	for _, side := range []struct {
		name string
		mismatch.DatedLine
	}{{has, m.Has}, {"spec", m.Wants}} {
		fmt.Fprintf(w, "  %-6s  %s%s\n          %s\n", side.name, s.line(side.Path, side.Line),
			s.faint(ageOf(side.DatedLine)), plain(strings.TrimSpace(side.Text)))
		if side.Value != "" {
			fmt.Fprintf(w, "          %s\n", s.faint("where "+plain(side.Value)))
		}
	}
}

// ageOf returns the date of a line as text, or "" if it is unknown.
func ageOf(p mismatch.DatedLine) string {
	switch {
	case p.AgeDays == nil:
		return ""
	case p.Written == nil:
		return "  not committed"
	}
	return fmt.Sprintf("  %s, %d days", (*p.Written)[:len(time.DateOnly)], *p.AgeDays)
}
