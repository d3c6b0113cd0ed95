package cli

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var (
	heading  = regexp.MustCompile(`(?m)^#+ `)
	anyBlock = regexp.MustCompile("(?ms)^```\\w+\n.*?^```$|^    .*?$")
	row      = regexp.MustCompile(`(?m)^\|`)
	figure   = regexp.MustCompile(`[\d,]*\.?\d+ \||\*\*[\d.,]+\*\*`)
)

// Whoever reads README.ja.md gets the same parts, commands, figures and links as whoever reads README.md.
func TestReadmesSayTheSame(t *testing.T) {
	english, japanese := fileText(t, filepath.Join(repository(t), "README.md")), fileText(t, filepath.Join(repository(t), "README.ja.md"))
	links := func(text string) []string {
		var out []string
		for _, m := range markdownLink.FindAllStringSubmatch(text, -1) {
			out = append(out, strings.Replace(m[1], ".ja.md", ".md", 1))
		}
		slices.Sort(out)
		return out
	}
	all := func(pattern *regexp.Regexp) func(string) []string {
		return func(text string) []string { return pattern.FindAllString(text, -1) }
	}
	for _, of := range []struct {
		name  string
		parts func(string) []string
		least int
	}{
		{"levels of headings", all(heading), 8},
		{"blocks", all(anyBlock), 6},
		{"rows of tables", all(row), 10},
		{"figures", all(figure), 20},
		{"links", links, 30},
	} {
		want, got := of.parts(english), of.parts(japanese)
		if diff := cmp.Diff(want, got); diff != "" || len(want) < of.least {
			t.Errorf("%s, %d in English (-README.md +README.ja.md):\n%s", of.name, len(want), diff)
		}
	}
}
