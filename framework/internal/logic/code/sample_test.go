package code_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/framework/internal/logic/code"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestSamples cuts a sample of each language that is full of code that confuses scanners, and compares units and facts
// with the golden file beside it.
func TestSamples(t *testing.T) {
	samples, err := filepath.Glob("testdata/*.*")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range samples {
		if strings.HasSuffix(name, ".golden") {
			continue
		}
		t.Run(filepath.Base(name), func(t *testing.T) {
			src, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			f := code.Cut(strings.TrimSuffix(name, ".txt"), src)
			checkTiling(t, src, f)
			golden(t, name+".golden", show(src, f))
		})
	}
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(name, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s: -want +got\n%s", name, diff)
	}
}

// show formats units and facts as lines that are easy to compare.
func show(src []byte, f code.File) string {
	out := strings.Builder{}
	fmt.Fprintf(&out, "%s broken=%t\n", f.Language, f.Broken)
	for _, u := range f.Units {
		fmt.Fprintf(&out, "%d-%d %s %s\n", u.First, u.Last, u.Kind, u.Qualified)
		if !u.Doc.Empty() {
			fmt.Fprintf(&out, "    doc %s\n", strings.Join(strings.Fields(string(src[u.Doc.Start:u.Doc.End])), " "))
		}
		showFacts(&out, u.Facts)
	}
	return out.String()
}

func showFacts(out *strings.Builder, f code.Facts) {
	for _, c := range f.Conditions {
		fmt.Fprintf(out, "    %d %s: %s\n", c.Line, c.Word, c.Text)
	}
	for _, c := range f.Failures {
		fmt.Fprintf(out, "    %d failure: %s %q %d\n", c.Line, c.Name, c.Message, c.Status)
	}
	for _, c := range f.States {
		fmt.Fprintf(out, "    %d state: %s = %s\n", c.Line, c.Name, c.Value)
	}
	for _, c := range f.Constants {
		fmt.Fprintf(out, "    %d constant: %s = %s\n", c.Line, c.Name, c.Value)
	}
	if len(f.Uses) > 0 {
		fmt.Fprintf(out, "    uses %s\n", strings.Join(f.Uses, " "))
	}
}
