package corpus_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
)

// Each of these keeps a parser without limits busy for minutes or makes it crash. What follows them must still be
// found.
func TestCutHostile(t *testing.T) {
	staircase := strings.Builder{}
	for i := range 800 {
		staircase.WriteString(strings.Repeat(" ", 2*i) + "- a\n")
	}
	keys := strings.Builder{}
	for i := range 1 << 20 {
		fmt.Fprintf(&keys, "a%d = 1\n", i)
	}
	tests := map[string]string{
		"quotes":           strings.Repeat(">", 1<<20),
		"quoted lines":     strings.Repeat(strings.Repeat("> ", 2000)+"x\n", 50),
		"lists":            strings.Repeat("- ", 1<<19),
		"nested lists":     staircase.String(),
		"open brackets":    strings.Repeat("[", 1<<20),
		"link definitions": strings.Repeat("[a]: /b\n", 1<<17),
		"long line":        strings.Repeat("x", 8<<20),
		"long heading":     "# " + strings.Repeat("*a_[", 1<<17),
		"open tags":        strings.Repeat("<a\n", 1<<15),
		"carriage returns": strings.Repeat("\r", 8<<20),
		"TOML keys":        "+++\n" + keys.String() + "+++\n",
		"YAML title":       "---\ntitle:\n" + strings.Repeat(" a\n", 1<<20) + "---\n",
	}
	for name, src := range tests {
		t.Run(name, func(t *testing.T) {
			sections := corpus.Cut("f.md", []byte(src+"\n\n# last\n"))
			if last := sections[len(sections)-1]; last.Title != "last" || len(sections) > 2 {
				t.Errorf("%d sections, the last is %.40q", len(sections), last.Title)
			}
		})
	}
}

func TestManyLabelsOfOneText(t *testing.T) {
	for name, line := range map[string]string{"f.rst": ".. _a:\n", "f.adoc": "[[a]]\n"} {
		sections := corpus.Cut(name, []byte(strings.Repeat(line, 1<<18)+strings.Repeat("\n", 1<<18)+"last\n====\n"))
		if last := sections[len(sections)-1]; last.Title != "last" || len(last.Labels) != 1<<18 {
			t.Errorf("%s: the last is %q with %d labels", name, last.Title, len(last.Labels))
		}
	}
}

func TestLongTitlesAreShortenedInPaths(t *testing.T) {
	long := strings.Repeat("約", 1000)
	sections := corpus.Cut("f.md", []byte("# "+long+"\n## B\n"))
	if sections[0].HeadingPath != long || sections[1].HeadingPath != long[:3*120]+" > B" {
		t.Errorf("paths %q and %q", sections[0].HeadingPath, sections[1].HeadingPath)
	}
}
