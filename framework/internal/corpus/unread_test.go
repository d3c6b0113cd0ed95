package corpus_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// ofPDF converts PDF, recognised by name.
type ofPDF struct{ corpus.Documents }

func (ofPDF) Reads(name string) bool { return strings.HasSuffix(name, ".pdf") }

func TestDocumentsWithoutAConverterAreNamed(t *testing.T) {
	dir := folder(t, "a.md", "Book.PDF", "sub/b.odt", "sub/c.zip", "image.png", "main.go", ".git/d.pdf", "no-ending", "~$b.doc",
		"e.7z", ".pages", "sub/.log", "page.mdx")
	_, skips, err := corpus.Walk(t.Context(), corpus.Manual{ID: "m", Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	want := []toolset.Skip{
		{ManualID: "m", Path: "Book.PDF", Reason: "no converter for .pdf is installed; " +
			"sagasu plugin install ./plugins/pdf, in a checkout of sagasu, adds one, and a server uses it from its next start"},
		{ManualID: "m", Path: "e.7z", Reason: "no converter for .7z is installed; what it holds is read once it is unpacked"},
		{ManualID: "m", Path: "sub/b.odt", Reason: "no converter for .odt is installed; " +
			"it is read when it is saved as .docx"},
		{ManualID: "m", Path: "sub/c.zip", Reason: "no converter for .zip is installed; " +
			"sagasu import docs imports the files in it"},
	}
	if diff := cmp.Diff(want, skips); diff != "" {
		t.Error(diff)
	}
	converting := corpus.Manual{ID: "m", Dir: dir, Documents: ofPDF{}}
	if converting.Reads("a/~$x.pdf") || converting.Unread("a/~$x.pdf") != "" {
		t.Error("what Office keeps beside an open document is one")
	}
	if converting.Unread("x.pdf") != "" || converting.Unread("x.doc") == "" {
		t.Error("what is converted is unread, or what is not is none")
	}
	_, err = corpus.Open(t.Context(), corpus.Manual{ID: "m", Dir: dir}, "sub/b.odt")
	if bad := toolset.AsError(err); bad.Code != toolset.NotAvailable || !strings.Contains(bad.Message, ".odt is inst") {
		t.Errorf("reading one gives %v", err)
	}
	if reach := (corpus.ManualSource{}).Reach("sub/b.odt"); reach != corpus.ReachesFile {
		t.Errorf("a change of one reaches %v", reach)
	}
}

func TestManyDocumentsOfAKindAreOneRow(t *testing.T) {
	var many []toolset.Skip
	pdf := corpus.Manual{}.Unread("x.pdf")
	for i := range 30 {
		many = append(many, toolset.Skip{ManualID: "m", Path: fmt.Sprintf("a/b%d/%d.pdf", i%2, i), Reason: pdf})
	}
	link := toolset.Skip{ManualID: "m", Path: "a/b1/x.md", Reason: "symbolic link"}
	few := toolset.Skip{ManualID: "m", Path: "x.doc", Reason: corpus.Manual{}.Unread("x.doc")}
	other := toolset.Skip{ManualID: "n", Path: "y.pdf", Reason: pdf}
	got := corpus.Gather(slices.Concat([]toolset.Skip{link}, many, []toolset.Skip{few, other}))
	want := []toolset.Skip{link, {ManualID: "m", Path: "a/*.pdf", Reason: "30 files: " + pdf, Files: 30}, few, other}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	sites := []toolset.Skip{{Path: "/docs/a", Reason: "no page"}, {Path: "https://x.example/b", Reason: "no page"}}
	if diff := cmp.Diff(sites, corpus.Gather(sites)); diff != "" {
		t.Error("of addresses:", diff)
	}
	if n := toolset.SkippedFiles(got); n != 33 {
		t.Errorf("%d files are counted", n)
	}
}

func TestManySkippedFilesOfTwoKinds(t *testing.T) {
	const n = 1 << 17 // of each, with which time that is their product takes minutes
	links := slices.Repeat([]toolset.Skip{{Path: "a", Reason: "symbolic link"}}, n)
	many := slices.Repeat([]toolset.Skip{{Path: "a.pdf", Reason: corpus.Manual{}.Unread("a.pdf")}}, n)
	if got := corpus.Gather(slices.Concat(links, many)); len(got) != n+1 || got[n].Files != n {
		t.Errorf("%d rows, the last is %+v", len(got), got[len(got)-1])
	}
}

func TestAFolderOfDocumentsAloneIsAManual(t *testing.T) {
	for want, files := range map[string][]string{
		"one": {"a.pdf", "b.pdf"}, "many": {"a/x.pdf", "b/y.pdf"}, "below": {"a.zip", "b/y.md"},
		"imported": {"a/x.md", "b/y.md", ".import/a/x.md.json"},
	} {
		root := folder(t, files...)
		found, err := corpus.Manuals(root, nil)
		if err != nil {
			t.Fatal(err)
		}
		one := len(found) == 1 && found[0].Dir == root
		if one != (want == "one" || want == "imported") {
			t.Errorf("%s: got %+v", want, found)
		}
	}
}
