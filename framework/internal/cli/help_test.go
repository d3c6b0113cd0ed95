package cli

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/sagasu-search/sagasu/plugins"
)

// sampleNames are what the samples hold.
var sampleNames = regexp.MustCompile(`aoba-nas|tsumugi|ienomori|minato|nas-checklist`)

// answersNo are the examples that answer with 1, as their help says.
var answersNo = regexp.MustCompile(`vault audit|--mismatches`)

// Every example of the help that names a sample runs as it is written, from a checkout.
func TestExamplesOfTheHelpRun(t *testing.T) {
	if testing.Short() {
		t.Skip("without -short")
	}
	checkout := t.TempDir()
	if err := os.CopyFS(filepath.Join(checkout, "testdata"), os.DirFS(filepath.Join(repository(t), "testdata"))); err != nil {
		t.Fatal(err)
	}
	env, ran := append(environment(t), "STRATEGY_TIME_MS=60000"), 0
	for _, line := range examples(newRoot(plugins.Bundled())) {
		if !strings.Contains(line, "testdata/") {
			if sampleNames.MatchString(line) {
				t.Errorf("%s: names a sample and does not say where it is", line)
			}
			continue
		}
		cmd := exec.CommandContext(t.Context(), binary, split(strings.ReplaceAll(line, `\"`, ""))[1:]...)
		cmd.Dir, cmd.Env = checkout, env
		out, err := cmd.CombinedOutput()
		exit, ended := errors.AsType[*exec.ExitError](err)
		if err != nil && !(ended && exit.ExitCode() == 1 && answersNo.MatchString(line)) {
			t.Errorf("%s: %v\n%s", line, err, out)
		}
		ran++
	}
	if ran < 20 {
		t.Errorf("%d examples ran", ran)
	}
}

// examples returns the lines of the examples of a command and of those below it.
func examples(c *cobra.Command) []string {
	var lines []string
	for line := range strings.SplitSeq(c.Example, "\n") {
		if line = strings.TrimSpace(line); strings.HasPrefix(line, "sagasu ") {
			lines = append(lines, line)
		}
	}
	for _, sub := range c.Commands() {
		lines = append(lines, examples(sub)...)
	}
	return lines
}
