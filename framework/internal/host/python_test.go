package host

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/testing/protocmp"
	"google.golang.org/protobuf/types/descriptorpb"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/sdktest"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/x/wire"
	"github.com/sagasu-search/sagasu/sdk/x/wire/strategypb"
)

// python returns an entry of a strategy in the interpreter that Debian ships, or of the file
// that code is written to.
func python(t *testing.T, name, code string) Entry {
	t.Helper()
	library, err := filepath.Abs(filepath.Join("..", "..", "..", "sdk", "python"))
	must(t, err)
	interpreter, err := filepath.EvalSymlinks("/usr/bin/python3")
	if err != nil {
		t.Skip("there is no /usr/bin/python3")
	}
	if out, err := exec.Command(interpreter, "-c", "import grpc, google.protobuf, cryptography").CombinedOutput(); err != nil {
		t.Skipf("python3-grpcio, python3-protobuf or python3-cryptography is not installed: %s", out)
	}
	script := filepath.Join(library, "reranker.py")
	if code != "" {
		script = filepath.Join(t.TempDir(), "strategy.py")
		must(t, os.WriteFile(script, []byte("import sys\nsys.path.append("+quote(library)+")\n"+code), 0o600))
	}
	data, err := os.ReadFile(interpreter)
	must(t, err)
	sum := sha256.Sum256(data)
	return Entry{
		Name: name, Path: interpreter, Args: []string{"-B", script}, SHA256: hex.EncodeToString(sum[:]),
		Grants: Grants{Reads: []string{library, script}},
	}
}

// startPython starts a host of a strategy in Python. To be shown sections it connects to the
// host's socket, which is a grant where the sandbox refuses that.
func startPython(t *testing.T, o Options) (*Host, *snapshot.Snapshot) {
	t.Helper()
	granted := o
	granted.Entries = []Entry{o.Entries[0]}
	granted.Entries[0].Network = []string{"unix"}
	h, err := New(granted)
	if err != nil {
		return start(t, o)
	}
	must(t, h.Close())
	return start(t, granted)
}

// quote makes a path a string of Python.
func quote(path string) string { return `r"` + path + `"` }

// The worked example runs as any installed strategy does: pinned, confined, over mutual
// TLS, with a connection of its own to read the sections.
func TestPythonReranker(t *testing.T) {
	o := options(t)
	o.Entries = []Entry{python(t, "pairs", "")}
	h, _ := startPython(t, o)
	descriptions, failures := h.Start(t.Context())
	if len(failures) > 0 || descriptions[0].Stage != sdk.StageRerank {
		t.Fatal(descriptions, failures)
	}
	for _, corpus := range []*snapshot.Snapshot{
		texts(t, o.IndexDir, [2]string{"Fees", "What it costs."}, [2]string{"返品の期限", "返品は三十日以内です。"}, [2]string{"配送", "送料は無料です。"}),
		texts(t, o.IndexDir, [2]string{"送料", "送料は無料です。"}, [2]string{"返品の期限", "返品は三十日以内です。"}, [2]string{"Other", ""}),
	} {
		for range 3 {
			res, err := h.Search(t.Context(), "pairs", &sdk.Request{
				Query: sdk.Query{Raw: "返品はいつまで", Text: "返品"}, Corpus: corpus, Limit: 9,
				Pool: []sdk.Candidate{{Section: 0}, {Section: 2}, {Section: 1}},
			})
			must(t, err)
			var got []uint32
			for _, c := range res.Candidates {
				got = append(got, c.Section)
			}
			if diff := cmp.Diff([]uint32{1, 0, 2}, got); diff != "" || !(res.Candidates[0].Score > 0) || !res.Finished {
				t.Error(diff, res)
			}
		}
	}
}

// What a strategy in Python gets wrong costs it one call and tells nothing of the query.
func TestPythonFails(t *testing.T) {
	const code = `
import sagasu, strategy_pb2 as pb
kept = []
class Odd:
    def describe(self):
        print("a stray print")
        return pb.Description(name="odd", version="1", stage="retrieve", weight=0.1,
                              config_schema=b'{"type":"object"}')
    def configure(self, config):
        self.word = config["word"]
    def search(self, request, corpus):
        kept.append(corpus)
        if request.query.raw == "raise":
            raise ValueError(request.query.text)
        if request.query.raw == "afterwards":
            list(kept[0].scope())
        ids = list(corpus.scope())
        statistics = corpus.statistics(["1"])
        said = "%s %s %d of %d in %s" % (self.word, ids, statistics.document_frequencies[0], statistics.sections, list(statistics.fields))
        return pb.SearchResponse(finished=True, warnings=[said])
sagasu.serve(Odd())
`
	o := options(t)
	o.Entries = []Entry{python(t, "odd", code)}
	o.Entries[0].Config = []byte(`{"word":"語"}`)
	h, snap := startPython(t, o)
	if got := ask(t, h, snap, "read"); got != "語 [0, 1, 2, 3, 4, 5, 6, 7, 8, 9] 1 of 10 in ['heading', 'body', 'path']" {
		t.Error(got)
	}
	for raw, want := range map[string]string{
		"raise": "the strategy raised ValueError at strategy.py:16 in search", "afterwards": "NOT_FOUND",
	} {
		req := request(snap, raw)
		req.Query.Text = "hush"
		_, err := h.Search(t.Context(), "odd", req)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "hush") || errors.Is(err, wire.ErrGone) {
			t.Errorf("%s: %v", raw, err)
		}
	}
	if h.Status()[0].Restarts != 0 {
		t.Error("a failed call cost the process")
	}
	ungranted, snap := start(t, o)
	_, err := ungranted.Search(t.Context(), "odd", request(snap, "read")) // it fails where the sandbox holds
	if err != nil && (!strings.Contains(err.Error(), "the host cannot be reached: grant --network unix") || errors.Is(err, wire.ErrGone)) {
		t.Errorf("without the grant: %v", err)
	}
}

// A strategy in Python reads the whole corpus before the first search on it, which waits for that, and
// proposes sections with signals and terms.
func TestPythonOpens(t *testing.T) {
	const code = `
import sagasu, strategy_pb2 as pb
class Index:
    fails = True
    def describe(self):
        return pb.Description(name="index", version="1", stage="retrieve", signals=["normalized", "own"], weight=0.1)
    def open(self, corpus):
        if self.fails:
            self.fails = False
            raise KeyError("once")
        return {s.section: s.fields[1].lower().split() for s in corpus.all()}
    def search(self, request, corpus):
        scope, rows = set(corpus.scope()), []
        for section, words in corpus.opened.items():
            held = [t.text for t in request.query.terms if t.text in words]
            if held and section in scope:
                rows.append(sagasu.Found(section, len(held), ["normalized"], held, len(held) / len(request.query.terms)))
        rows.append(sagasu.Found(0, 0.5, ["own"]))
        return sagasu.found(rows, request, examined=len(scope))
sagasu.serve(Index())
`
	o := options(t)
	o.Entries = []Entry{python(t, "index", code)}
	h, _ := startPython(t, o)
	corpus := texts(t, o.IndexDir, [2]string{"", "nothing"}, [2]string{"", "a refund deadline"}, [2]string{"", "refund"},
		[2]string{"", "refund deadline"})
	req := &sdk.Request{Query: sdktest.Query("refund deadline"), Corpus: corpus, Limit: 3, Scope: roaring.BitmapOf(0, 1, 2)}
	if _, err := h.Search(t.Context(), "index", req); err == nil || !strings.Contains(err.Error(), "the strategy raised KeyError at strategy.py:12 in open") {
		t.Errorf("a failed open gave %v", err)
	}
	for range 2 {
		res, err := h.Search(t.Context(), "index", req)
		must(t, err)
		want := []sdk.Candidate{
			{Section: 1, Score: 2, Coverage: 1, Measured: true, Signals: []string{"normalized"}, Terms: []string{"refund", "deadline"}},
			{Section: 2, Score: 1, Coverage: 0.5, Measured: true, Signals: []string{"normalized"}, Terms: []string{"refund"}},
			{Section: 0, Score: 0.5, Signals: []string{"own"}},
		}
		if diff := cmp.Diff(want, res.Candidates); diff != "" {
			t.Error(diff)
		}
	}
}

// The messages that Python reads are those that are read here.
func TestPythonSpeaksTheProtocol(t *testing.T) {
	e := python(t, "pairs", "")
	cmd := exec.Command(e.Path, "-B", "-c", "import sys, strategy_pb2; sys.stdout.buffer.write(strategy_pb2.DESCRIPTOR.serialized_pb)")
	cmd.Dir = e.Reads[0]
	data, err := cmd.Output()
	must(t, err)
	theirs, ours := &descriptorpb.FileDescriptorProto{}, protodesc.ToFileDescriptorProto(strategypb.File_strategy_proto)
	must(t, proto.Unmarshal(data, theirs))
	noJSON := protocmp.IgnoreFields(&descriptorpb.FieldDescriptorProto{}, "json_name")
	if diff := cmp.Diff(ours, theirs, protocmp.Transform(), noJSON); diff != "" {
		t.Errorf("sdk/python/strategy_pb2.py is of another protocol, go generate ./sdk/x/wire: %s", diff)
	}
}
