package index

import (
	"context"
	"crypto/sha256"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/sdk"
)

// documents reads files called .doc, whose first words say what becomes of them.
type documents struct {
	reads  atomic.Int64
	failed sync.Map // reasons by hash
}

func (d *documents) Reads(name string) bool { return strings.HasSuffix(name, ".doc") }

func (d *documents) Version() string { return "" }

func (d *documents) Kept(_ string, sum [32]byte) (corpus.File, string) {
	failed, _ := d.failed.Load(sum)
	reason, _ := failed.(string)
	return corpus.File{}, reason
}

func (d *documents) Read(_ context.Context, at corpus.Stored) (corpus.File, error) {
	d.reads.Add(1)
	f, err := at.Open()
	if err != nil {
		return corpus.File{}, err
	}
	defer f.Close()
	src, err := io.ReadAll(f)
	if err != nil {
		return corpus.File{}, err
	}
	failed := func(reason string) error {
		return toolset.Errorf(toolset.NotAvailable, "it is not read").With("reason", reason)
	}
	out := corpus.File{Path: f.Path, SHA256: sha256.Sum256(src), Origin: corpus.Origin{Document: f.Path}}
	switch word, _, _ := strings.Cut(string(src), " "); word {
	case "encrypted":
		d.failed.Store(out.SHA256, "it is encrypted")
		return out, failed("it is encrypted")
	case "slow":
		reason, _ := d.failed.LoadOrStore(out.SHA256, corpus.BeingConverted)
		return out, failed(reason.(string))
	case "later":
		return corpus.File{}, failed("it is still starting")
	case "part":
		out.Problems = []sdk.Problem{{Place: sdk.Place{Page: 2}, Reason: "no text"}}
	}
	out.Text, out.Places = corpus.Render(&sdk.Converted{Blocks: []sdk.Block{{Level: 1, Heading: "Doc", Text: string(src)}}})
	return out, nil
}

// documentIndex opens an index of a bench whose manuals hold documents.
func documentIndex(b *bench, d *documents, progress func(Progress)) *Index {
	o := b.options()
	o.Source, o.Progress = corpus.ManualSource{Documents: d}, progress
	o.Manuals = func(context.Context) ([]corpus.Manual, error) { return corpus.Manuals(b.root, d) }
	x, err := Open(o)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { x.Close() })
	return x
}

func TestDocuments(t *testing.T) {
	b, d := newBench(t), &documents{}
	for _, word := range []string{"plain", "part", "encrypted", "later"} {
		b.write("a/"+word+".doc", word+" text")
	}
	var phases []Phase
	x := documentIndex(b, d, func(p Progress) { phases = append(phases, p.Phase) })
	snap, release := b.acquire(x)
	var titles []string
	for _, s := range sections(snap) {
		titles = append(titles, strings.Join(strings.Split(s, "|")[1:3], " "))
	}
	release()
	want := []string{"one.md One", "one.md One > Child", "sub/two.md Two", "data.json data", "part.doc Doc", "plain.doc Doc"}
	if diff := cmp.Diff(want, titles); diff != "" {
		t.Error(diff)
	}
	if phases = slices.Compact(phases); !slices.Contains(phases, PhaseConvert) {
		t.Errorf("the phases are %v", phases)
	}
	skips := func() (out []string) {
		for _, s := range x.Skipped() {
			out = append(out, s.Path+": "+s.Reason)
		}
		return out
	}
	if diff := cmp.Diff([]string{"encrypted.doc: it is encrypted", "later.doc: it is still starting",
		"part.doc: read in part: no text on page 2"}, skips()); diff != "" {
		t.Error(diff)
	}
	if st, err := x.State(t.Context()); err != nil || st.Files != 5 {
		t.Errorf("the state is %+v, %v", st, err)
	}

	// What did not change is not read again, but for what says nothing of the file.
	d.reads.Store(0)
	b.write("a/later.doc", "good text")
	b.write("a/one.md", "# One more\n")
	snap, release = b.acquire(x)
	defer release()
	if n := d.reads.Load(); n != 1 {
		t.Errorf("%d documents were read", n)
	}
	if diff := cmp.Diff([]string{"encrypted.doc: it is encrypted", "part.doc: read in part: no text on page 2"}, skips()); diff != "" {
		t.Error(diff)
	}
	for what, change := range map[string]func(){
		"one whose conversion has ended": d.failed.Clear,
		"one that was touched": func() {
			now := time.Now().Add(time.Minute)
			if err := os.Chtimes(filepath.Join(b.root, "a", "encrypted.doc"), now, now); err != nil {
				t.Fatal(err)
			}
		},
	} {
		d.reads.Store(0)
		change()
		for range 2 {
			_, again := b.acquire(x)
			again()
		}
		if n := d.reads.Load(); n != 1 {
			t.Errorf("%s: %d documents were tried again", what, n)
		}
	}
	if got := len(sections(snap)); snap.Live().GetCardinality() != 6 {
		t.Errorf("%d sections, %d of them live", got, snap.Live().GetCardinality())
	}
}

func TestWhyADocumentIsSkippedIsNew(t *testing.T) {
	b, d := newBench(t), &documents{}
	b.write("a/slow.doc", "slow text")
	x := documentIndex(b, d, nil)
	for _, want := range []string{corpus.BeingConverted, corpus.BeingConverted, "it hung", "it hung"} {
		if want == "it hung" {
			d.failed.Store(sha256.Sum256([]byte("slow text")), want)
		}
		_, release := b.acquire(x)
		release()
		if got := x.Skipped(); len(got) != 1 || got[0].Reason != want {
			t.Errorf("skipped: %v, want %q", got, want)
		}
	}
	if n := d.reads.Load(); n > 3 { // once more while the file is young
		t.Errorf("it was read %d times", n)
	}
}
